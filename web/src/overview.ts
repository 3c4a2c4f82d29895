// A large tree from afar: a few paths instead of thousands of cards, so that browsers paint it fast.
import type { Answers } from "./answers";
import type { Colours } from "./colours";
import { svg } from "./element";
import { CARD, link, type Point } from "./layout";
import type { Tree } from "./tree";

function block({ x, y }: Point): string {
  return `M${x},${y - CARD.height / 2}h${CARD.width}v${CARD.height}h${-CARD.width}z`;
}

// Leaves in the colours of their answers, the other nodes, and the links.
export function drawOverview(
  tree: Tree,
  answers: Answers,
  colours: Colours,
  points: ReadonlyMap<number, Point>,
): SVGPathElement[] {
  const leaves = new Map<string, string[]>();
  const inner: string[] = [];
  const links: string[] = [];
  for (const [node, point] of points) {
    if (node > 0) links.push(link(points.get(tree.parent[node]!)!, point));
    if (!tree.isLeaf(node)) {
      inner.push(block(point));
      continue;
    }
    const colour = colours.of(answers.vote(node));
    const listed = leaves.get(colour);
    if (listed === undefined) leaves.set(colour, [block(point)]);
    else listed.push(block(point));
  }
  return [
    svg("path", { class: "link", attributes: { d: links.join("") } }),
    svg("path", { class: "inner", attributes: { d: inner.join("") } }),
    ...[...leaves].map(([fill, blocks]) => svg("path", { attributes: { fill, d: blocks.join("") } })),
  ];
}
