// The strip of a path over q: curves of accuracy and size, and the slider that moves through the trees.
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { Path } from "./data";
import { button, byId, html, svg } from "./element";
import { amount, figure, percent } from "./figures";

const THUMB = 18; // the slider's, which the curves are in line with
const ACCURACY = { top: 10, height: 58 };
const SIZE = { top: 80, height: 38 };
const HEIGHT = 122;

const MARKS = [
  ["best", "Best", "the most accurate"],
  ["tradeoff", "Trade-off", "the smallest within one standard error of the best accuracy"],
  ["smallest", "Smallest", "the smallest"],
] as const;

export class PathStrip {
  private readonly element = byId("path");
  private readonly slider = html("input", { attributes: { type: "range", id: "q", min: 0, step: 1 } });
  private readonly curves = svg("svg", { class: "curves", attributes: { "aria-hidden": "true" } });
  private readonly told = html("div", { class: "told" });
  private readonly cursor = svg("g", { class: "cursor" });
  private readonly buttons = new Map<number, HTMLButtonElement[]>();
  private place: number;
  private width = 0;

  constructor(
    private readonly path: Path,
    private readonly onMove: (place: number) => void,
  ) {
    this.place = path.start;
    this.slider.max = String(path.qs.length - 1);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.curves.addEventListener("pointerdown", (event) => this.drag(event));
    const buttons = html("div", { class: "actions", attributes: { role: "group", "aria-label": "Go to" } });
    for (const [name, text, meaning] of MARKS) {
      const place = path[name];
      const made = button(`${text}: ${meaning}, q = ${figure(path.qs[place])}`, text, () => this.go(place), name);
      made.dataset.mark = name;
      this.buttons.set(place, [...(this.buttons.get(place) ?? []), made]);
      buttons.append(made);
    }
    buttons.append(
      button("The tree before", "‹ Tree", () => this.step(-1)),
      button("The next tree", "Tree ›", () => this.step(1)),
    );
    const label = html("label", { class: "unseen", attributes: { for: "q" } }, "Order q of the entropy");
    this.element.append(
      html("div", { class: "told-row" }, this.told, buttons),
      html("div", { class: "plot" }, this.curves, label, this.slider, this.ends()),
    );
    this.element.hidden = false;
    new ResizeObserver(() => this.draw()).observe(this.curves);
    this.tell();
  }

  private go(place: number): void {
    const kept = Math.max(0, Math.min(this.path.qs.length - 1, place));
    if (kept === this.place) return;
    this.place = kept;
    this.tell();
    this.onMove(kept);
  }

  // To the nearest q with another tree.
  private step(by: number): void {
    const here = this.path.tree[this.place];
    let place = this.place;
    while (this.path.tree[place] === here) place += by;
    if (this.path.tree[place] !== undefined) this.go(place);
  }

  private drag(event: PointerEvent): void {
    const move = (at: PointerEvent): void => this.go(this.placeAt(at.clientX));
    this.curves.setPointerCapture(event.pointerId);
    this.curves.addEventListener("pointermove", move);
    const end = (): void => this.curves.removeEventListener("pointermove", move);
    this.curves.addEventListener("pointerup", end, { once: true });
    this.curves.addEventListener("pointercancel", end, { once: true });
    move(event);
  }

  private placeAt(clientX: number): number {
    const { left, width } = this.curves.getBoundingClientRect();
    return Math.round(((clientX - left - THUMB / 2) / (width - THUMB)) * (this.path.qs.length - 1));
  }

  // By place, not by value, so that the slider's thumb stands right below the cursor.
  private x(place: number): number {
    const last = this.path.qs.length - 1;
    return last === 0 ? this.width / 2 : THUMB / 2 + (place / last) * (this.width - THUMB);
  }

  describe(): string {
    const { accuracy, accuracy_se, full_n_nodes, qs } = this.path;
    const error = accuracy_se[this.place];
    const spread = error === null || error === undefined ? "" : ` plus or minus ${percent(error, 1)}`;
    const nodes = amount(full_n_nodes[this.place]!);
    return `q ${figure(qs[this.place])}: accuracy ${percent(accuracy[this.place]!, 1)}${spread}, ${nodes} nodes`;
  }

  private tell(): void {
    const { accuracy, accuracy_se, full_n_nodes, n_nodes, qs, tree, nested, folds, folds_planned } = this.path;
    this.slider.value = String(this.place);
    this.slider.setAttribute("aria-valuetext", this.describe());
    for (const [place, made] of this.buttons) {
      for (const each of made) each.setAttribute("aria-pressed", String(place === this.place));
    }
    const error = accuracy_se[this.place];
    const trees = new Set(tree).size;
    const fact = (name: string, value: string, more: string, sort: string): HTMLElement =>
      html(
        "div",
        { class: `fact ${sort}` },
        html("span", { class: "name" }, name),
        html("span", { class: "value" }, value),
        html("span", { class: "more" }, more),
      );
    const unfinished = folds < folds_planned ? ` of ${folds_planned}` : "";
    const honest = nested === null ? "" : `; ${percent(nested[0], 1)} if q is chosen inside the folds`;
    this.told.replaceChildren(
      fact("q", figure(qs[this.place]), `tree ${tree[this.place]! + 1} of ${trees}`, "order"),
      fact(
        "Accuracy",
        percent(accuracy[this.place]!, 1),
        `${error === null || error === undefined ? "" : `± ${(100 * error).toFixed(1)}, `}mean of ${folds}${unfinished} folds${honest}`,
        "accuracy",
      ),
      fact(
        "Nodes",
        amount(full_n_nodes[this.place]!),
        `${figure(n_nodes[this.place], 3)} on average in the folds`,
        "size",
      ),
    );
    this.point();
  }

  private scales(): { accuracy: (value: number) => number; size: (value: number) => number } {
    const { accuracy, accuracy_se, n_nodes } = this.path;
    const low = Math.min(...accuracy.map((value, i) => value - (accuracy_se[i] ?? 0)));
    const high = Math.max(...accuracy.map((value, i) => value + (accuracy_se[i] ?? 0)));
    const room = Math.max((high - low) * 0.06, 1e-4);
    const sizes = [Math.min(...n_nodes), Math.max(...n_nodes)];
    const gap = Math.max((sizes[1]! - sizes[0]!) * 0.06, 0.1);
    return {
      accuracy: scaleLinear([low - room, high + room], [ACCURACY.top + ACCURACY.height, ACCURACY.top]),
      size: scaleLinear([sizes[0]! - gap, sizes[1]! + gap], [SIZE.top + SIZE.height, SIZE.top]),
    };
  }

  private draw(): void {
    this.width = this.curves.getBoundingClientRect().width;
    if (this.width === 0) return;
    this.curves.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    const { accuracy, accuracy_se, n_nodes, tree } = this.path;
    const y = this.scales();
    const x = (_: number, i: number): number => this.x(i);
    const band = area<number>(x, (value, i) => y.accuracy(value - (accuracy_se[i] ?? 0)), (value, i) =>
      y.accuracy(value + (accuracy_se[i] ?? 0)),
    );
    const changes = svg("g", { class: "changes" });
    tree.forEach((which, i) => {
      if (i === 0 || which === tree[i - 1]) return;
      const at = (this.x(i) + this.x(i - 1)) / 2;
      changes.append(svg("line", { attributes: { x1: at, x2: at, y1: HEIGHT - 4, y2: HEIGHT } }));
    });
    const path = (kind: string, d: string | null): SVGPathElement =>
      svg("path", { class: kind, attributes: { d: d ?? "" } });
    this.curves.replaceChildren(
      changes,
      path("band", band(accuracy as number[])),
      path("accuracy", line<number>(x, (value) => y.accuracy(value))(accuracy as number[])),
      path("size", line<number>(x, (value) => y.size(value))(n_nodes as number[])),
      svg("text", { class: "axis", attributes: { x: THUMB / 2, y: ACCURACY.top } }, `accuracy, ${percent(Math.min(...accuracy), 1)} to ${percent(Math.max(...accuracy), 1)}`),
      svg("text", { class: "axis", attributes: { x: THUMB / 2, y: SIZE.top } }, `nodes, ${figure(Math.min(...n_nodes), 3)} to ${figure(Math.max(...n_nodes), 3)}`),
      ...MARKS.map(([name]) => this.dot(name, y)),
      this.cursor,
    );
    this.point();
  }

  private ends(): HTMLElement {
    const { qs } = this.path;
    const shown = qs.length > 1 ? [qs[0]!, qs.at(-1)!] : [];
    return html(
      "div",
      { class: "ends", attributes: { "aria-hidden": "true" } },
      ...shown.map((q) => html("span", {}, `q = ${figure(q)}`)),
    );
  }

  private dot(name: "best" | "tradeoff" | "smallest", y: ReturnType<PathStrip["scales"]>): SVGGElement {
    const place = this.path[name];
    const cx = this.x(place);
    return svg(
      "g",
      { class: `mark ${name}` },
      svg("circle", { attributes: { cx, cy: y.accuracy(this.path.accuracy[place]!), r: 4 } }),
      svg("circle", { attributes: { cx, cy: y.size(this.path.n_nodes[place]!), r: 4 } }),
    );
  }

  private point(): void {
    if (this.width === 0) return;
    const y = this.scales();
    const at = this.x(this.place);
    this.cursor.replaceChildren(
      svg("line", { attributes: { x1: at, x2: at, y1: 0, y2: HEIGHT } }),
      svg("circle", { attributes: { cx: at, cy: y.accuracy(this.path.accuracy[this.place]!), r: 4.5 } }),
      svg("circle", { attributes: { cx: at, cy: y.size(this.path.n_nodes[this.place]!), r: 4.5 } }),
    );
  }
}
