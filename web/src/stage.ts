// The drawing of the tree: cards, links, pan and zoom. Panning changes one transform and lays nothing out.
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomTransform } from "d3-zoom";
import type { Answers } from "./answers";
import { drawCard, drawToggle, spoken } from "./card";
import type { Colours } from "./colours";
import { byId, svg } from "./element";
import type { Folding, Room } from "./folding";
import { percent } from "./figures";
import { boxOf, CARD, COLUMN, layOut, link, ROW, type Box, type Point } from "./layout";
import { drawOverview } from "./overview";
import type { Tree } from "./tree";
import type { Walked } from "./walk";

const GLIDE = 220; // milliseconds
const MANY = 150; // so many nodes are moved at once, and drawn as an overview from afar
const READABLE = 0.55; // a scale at which letters are still read with ease
const FAR = 0.42; // letters can't be read at smaller scales
const TINY = 0.25; // many cards are not painted one by one at smaller scales
const MARGIN = 24;

export interface Marks {
  readonly selected: number;
  readonly focused: number;
  readonly walked: Walked | null;
  readonly found: ReadonlySet<number>;
  readonly changed: ReadonlySet<number>;
}

export interface Picked {
  select(node: number): void;
  toggle(node: number): void;
}

interface Drawn {
  readonly group: SVGGElement;
  readonly path: SVGPathElement | null;
  readonly pooled: number;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class Stage {
  private readonly root = byId<SVGSVGElement>("tree");
  private readonly view = byId<SVGGElement>("view");
  private readonly overview = svg("g", { class: "overview", attributes: { "aria-hidden": "true" } });
  private readonly links = svg("g", { class: "links", attributes: { role: "none" } });
  private readonly cards = svg("g", { attributes: { role: "none" } });
  private readonly zooming = zoom<SVGSVGElement, unknown>().scaleExtent([0.001, 3]);
  private readonly drawn = new Map<string, Drawn>();
  private points = new Map<number, Point>();
  private places = new Map<string, Point>();
  private transform: ZoomTransform = zoomIdentity;
  private frame = 0;

  constructor(
    private readonly colours: Colours,
    private readonly picked: Picked,
  ) {
    this.view.append(this.overview, this.links, this.cards);
    this.zooming.on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => this.show(event.transform));
    // Wheels zoom; in the frame of a notebook they scroll the notebook, unless Ctrl is held or fingers pinch.
    const framed = window.self !== window.top;
    this.zooming.filter(
      (event: MouseEvent) => !event.button && event.type !== "dblclick" && (!framed || event.type !== "wheel" || event.ctrlKey),
    );
    select(this.root).call(this.zooming);
    this.root.addEventListener("click", (event) => this.click(event));
  }

  private show(transform: ZoomTransform): void {
    this.transform = transform;
    this.view.setAttribute("transform", transform.toString());
    this.root.classList.toggle("far", transform.k < FAR);
    this.root.classList.toggle("tiny", transform.k < TINY && this.points.size > MANY);
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const node = Number(target.closest<SVGGElement>(".node")?.dataset.node ?? NaN);
    if (Number.isNaN(node)) return;
    if (target.closest(".toggle") !== null) this.picked.toggle(node);
    else this.picked.select(node);
  }

  // Draws the shown nodes. A node named `still` keeps its place on the screen.
  draw(tree: Tree, answers: Answers, folding: Folding, still: number | null): void {
    const before = still === null ? undefined : this.points.get(still);
    const from = this.places;
    this.points = layOut(tree, folding);
    this.places = new Map([...this.points].map(([node, point]) => [tree.place[node]!, point]));
    const after = still === null ? undefined : this.points.get(still);
    if (before !== undefined && after !== undefined) {
      this.move(this.transform.translate(before.x - after.x, before.y - after.y));
    }
    this.join(tree, answers, folding);
    const many = this.points.size > MANY;
    this.overview.replaceChildren(...(many ? drawOverview(tree, answers, this.colours, this.points) : []));
    const start = (node: number): Point => {
      for (let at = node; at >= 0; at = tree.parent[at]!) {
        const point = from.get(tree.place[at]!);
        if (point !== undefined) return this.moved(point, before, after);
      }
      return this.points.get(node)!;
    };
    if (calm.matches || from.size === 0 || many) this.put(tree, this.points);
    else this.glide(tree, new Map([...this.points.keys()].map((node) => [node, start(node)])));
  }

  // Where a point of the old drawing is in the new one, the screen having moved along with the still node.
  private moved(point: Point, before: Point | undefined, after: Point | undefined): Point {
    if (before === undefined || after === undefined) return point;
    return { x: point.x + after.x - before.x, y: point.y + after.y - before.y };
  }

  // Makes the elements that are new, and removes those that are gone.
  private join(tree: Tree, answers: Answers, folding: Folding): void {
    const kept = new Set<string>();
    for (const node of folding.shown()) {
      const place = tree.place[node]!;
      kept.add(place);
      let drawn = this.drawn.get(place);
      if (drawn?.pooled !== tree.pooled[node] || drawn?.group.dataset.node !== String(node)) {
        this.forget(place);
        drawn = this.make(tree, answers, node);
        this.drawn.set(place, drawn);
      }
      this.dressUp(tree, folding, node, drawn.group);
      this.cards.append(drawn.group); // in the order of reading
    }
    for (const place of [...this.drawn.keys()]) if (!kept.has(place)) this.forget(place);
  }

  private make(tree: Tree, answers: Answers, node: number): Drawn {
    const group = drawCard(tree, answers, this.colours, node);
    group.dataset.node = String(node);
    group.setAttribute("role", "treeitem");
    group.setAttribute("aria-label", spoken(tree, answers, node));
    group.setAttribute("aria-level", String(tree.depth[node]! + 1));
    group.setAttribute("aria-posinset", String(tree.branch[node]! + 1));
    group.setAttribute("aria-setsize", String(node === 0 ? 1 : tree.nChildren[tree.parent[node]!]!));
    let path: SVGPathElement | null = null;
    if (node > 0) {
      const share = tree.weight(node) / Math.max(tree.weight(0), Number.MIN_VALUE);
      path = svg("path", { class: "link", attributes: { "stroke-width": 1.5 + 9 * Math.sqrt(share) } });
      this.links.append(path);
    }
    return { group, path, pooled: tree.pooled[node]! };
  }

  private dressUp(tree: Tree, folding: Folding, node: number, group: SVGGElement): void {
    if (tree.isLeaf(node)) return;
    const open = folding.isOpen(node);
    if (group.getAttribute("aria-expanded") === String(open)) return;
    group.setAttribute("aria-expanded", String(open));
    group.querySelector(".toggle")?.remove();
    group.append(drawToggle(open ? null : tree.below[node]!));
  }

  private forget(place: string): void {
    const drawn = this.drawn.get(place);
    drawn?.group.remove();
    drawn?.path?.remove();
    this.drawn.delete(place);
  }

  private put(tree: Tree, points: ReadonlyMap<number, Point>): void {
    cancelAnimationFrame(this.frame);
    for (const [node, point] of points) {
      const drawn = this.drawn.get(tree.place[node]!)!;
      drawn.group.setAttribute("transform", `translate(${point.x},${point.y})`);
      drawn.path?.setAttribute("d", link(points.get(tree.parent[node]!)!, point));
    }
  }

  private glide(tree: Tree, from: ReadonlyMap<number, Point>): void {
    const to = this.points;
    this.put(tree, from);
    const begin = performance.now();
    const step = (now: number): void => {
      const t = Math.min(1, Math.max(0, (now - begin) / GLIDE));
      const eased = 1 - (1 - t) ** 3;
      const between = new Map<number, Point>();
      for (const [node, a] of from) {
        const b = to.get(node)!;
        between.set(node, { x: a.x + (b.x - a.x) * eased, y: a.y + (b.y - a.y) * eased });
      }
      this.put(tree, t < 1 ? between : to);
      if (t < 1) this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  // Shows which nodes are chosen, found, on the way of a case, or other than in the tree before.
  mark(tree: Tree, marks: Marks): void {
    this.root.classList.toggle("walking", marks.walked !== null);
    for (const node of this.points.keys()) {
      const { group, path } = this.drawn.get(tree.place[node]!)!;
      const passed = marks.walked?.passed.has(node) ?? false;
      group.classList.toggle("passed", passed);
      path?.classList.toggle("passed", passed);
      group.classList.toggle("selected", node === marks.selected);
      group.classList.toggle("found", marks.found.has(node));
      group.classList.toggle("changed", marks.changed.has(node));
      group.setAttribute("aria-selected", String(node === marks.selected));
      group.setAttribute("tabindex", node === marks.focused ? "0" : "-1");
      this.tellPart(group, marks.walked, node);
    }
  }

  // A case that goes down in parts: how much of it ends where.
  private tellPart(group: SVGGElement, walked: Walked | null, node: number): void {
    group.querySelector(".part")?.remove();
    const part = walked?.passed.get(node);
    if (part === undefined || part > 1 - 1e-12) return;
    const place = { x: CARD.width - 10, y: 18 - CARD.height / 2, "text-anchor": "end" };
    group.append(svg("text", { class: "part", attributes: place }, percent(part)));
  }

  focus(tree: Tree, node: number): void {
    this.drawn.get(tree.place[node]!)?.group.focus({ preventScroll: true });
  }

  // Of what can be seen: the legend lies over the lower edge.
  private get size(): { width: number; height: number } {
    const { width, height } = this.root.getBoundingClientRect();
    const legend = byId("legend").offsetHeight;
    return { width: Math.max(width, 1), height: Math.max(height - legend - 8, 1) };
  }

  private move(to: ZoomTransform): void {
    select(this.root).call((root) => this.zooming.transform(root, to));
  }

  get box(): Box {
    return boxOf(this.points.values());
  }

  // Nodes and levels that can be read at once.
  get room(): Room {
    const { width, height } = this.size;
    const columns = Math.floor((width - 2 * MARGIN) / (READABLE * COLUMN));
    return { rows: Math.max(8, Math.floor(height / (READABLE * ROW))), levels: Math.max(2, columns - 1) };
  }

  // All in sight, unless that were too small to read: then the root with what is near it.
  fit(readable = false): void {
    const { width, height } = this.size;
    const { left, right, top, bottom } = this.box;
    const all = Math.min((width - 2 * MARGIN) / (right - left), (height - 2 * MARGIN) / (bottom - top), 1.1);
    if (readable && all < READABLE - 0.05) {
      const k = width < 600 ? 0.7 : 0.8;
      this.move(zoomIdentity.translate(MARGIN - left * k, height / 2 - this.points.get(0)!.y * k).scale(k));
      return;
    }
    const [x, y] = [(width - (right + left) * all) / 2, (height - (bottom + top) * all) / 2];
    this.move(zoomIdentity.translate(x, y).scale(all));
  }

  scaleBy(factor: number): void {
    select(this.root).call((root) => this.zooming.scaleBy(root, factor));
  }

  panBy(x: number, y: number): void {
    this.move(zoomIdentity.translate(this.transform.x + x, this.transform.y + y).scale(this.transform.k));
  }

  // Moves the drawing no more than needed to have nodes in sight; if all can't be, the last ones.
  reveal(...nodes: number[]): void {
    const { width, height } = this.size;
    for (const node of nodes) {
      const point = this.points.get(node);
      if (point === undefined) continue;
      const [x, y] = this.transform.apply([point.x, point.y]);
      const [w, h] = [CARD.width * this.transform.k, (CARD.height / 2) * this.transform.k];
      const dx = x < MARGIN ? MARGIN - x : Math.min(0, width - MARGIN - 26 - (x + w));
      const dy = y - h < MARGIN ? MARGIN - (y - h) : Math.min(0, height - MARGIN - (y + h));
      if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
    }
  }

  // Readable, with a node in the middle, if it is out of sight or too small.
  seek(node: number): void {
    if (this.transform.k < FAR) {
      const { width, height } = this.size;
      const point = this.points.get(node)!;
      const k = 0.9;
      this.move(
        zoomIdentity.translate(width / 2 - (point.x + CARD.width / 2) * k, height / 2 - point.y * k).scale(k),
      );
    }
    this.reveal(node);
  }
}
