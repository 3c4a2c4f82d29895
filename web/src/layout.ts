// Where nodes stand: the root at the left, branches to the right of what they come from.
import { hierarchy, tree as tidyTree } from "d3-hierarchy";
import { linkHorizontal } from "d3-shape";
import type { Folding } from "./folding";
import type { Tree } from "./tree";

export const CARD = { width: 204, height: 64 };
export const ROW = 73;
export const COLUMN = CARD.width + 46;

export interface Point {
  readonly x: number; // of the left edge of a card
  readonly y: number; // of its middle
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export function layOut(tree: Tree, folding: Folding): Map<number, Point> {
  const root = hierarchy(0, (node) => (folding.isOpen(node) ? tree.children(node) : []));
  const laid = tidyTree<number>()
    .nodeSize([ROW, COLUMN])
    .separation((a, b) => (a.parent === b.parent ? 1 : 1.18))(root);
  const points = new Map<number, Point>();
  laid.each(({ data, x, y }) => points.set(data, { x: y, y: x }));
  return points;
}

export function boxOf(points: Iterable<Point>): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + CARD.width + 30);
    box.top = Math.min(box.top, y - CARD.height / 2);
    box.bottom = Math.max(box.bottom, y + CARD.height / 2);
  }
  return box;
}

const curve = linkHorizontal<{ source: Point; target: Point }, Point>()
  .x((point) => point.x)
  .y((point) => point.y);

export function link(from: Point, to: Point): string {
  return curve({ source: { x: from.x + CARD.width, y: from.y }, target: to }) ?? "";
}
