// The card of a node: the condition that leads to it, its question or answer, and its cases by class.
import type { Answers } from "./answers";
import type { Colours } from "./colours";
import { svg } from "./element";
import { amount, counted, percent } from "./figures";
import { CARD } from "./layout";
import type { Tree } from "./tree";

const PAD = 13;
const BAR = { width: 118, height: 7, top: 49 };

export const CARD_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

const brush = document.createElement("canvas").getContext("2d");

// As much of a text as fits; SVG can't cut texts by itself.
function fitted(text: string, font: string, width: number): string {
  if (brush === null) return text.length > 28 ? `${text.slice(0, 27)}…` : text;
  brush.font = `${font} ${CARD_FONT}`;
  if (brush.measureText(text).width <= width) return text;
  let [low, high] = [0, Math.min(text.length, 80)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (brush.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}

// The condition that leads to a node; a long column name is cut before its values are.
function fittedCondition(tree: Tree, node: number, width: number): string {
  if (node === 0) return "All cases";
  const whole = tree.condition(node);
  if (fitted(whole, "12px", width) === whole) return whole;
  const words = fitted(tree.branchWords(node), "12px", 0.7 * width);
  const room = width - (brush?.measureText(` ${words}`).width ?? 0.5 * width);
  return `${fitted(tree.data.columns[tree.column(tree.parent[node]!)]!.name, "12px", room)} ${words}`;
}

export function questionOf(tree: Tree, node: number): string {
  return `${tree.data.columns[tree.column(node)]!.name} ?`;
}

// What a screen reader says.
export function spoken(tree: Tree, answers: Answers, node: number): string {
  const parts = [node === 0 ? "All cases" : tree.condition(node)];
  const vote = answers.vote(node);
  const share = percent(answers.votingShares(node)[vote]!);
  if (tree.isLeaf(node)) parts.push(`answer ${tree.data.classes[vote]!}, ${share}`);
  else parts.push(`asks for ${tree.data.columns[tree.column(node)]!.name}`);
  parts.push(tree.rows(node) === 0 ? "no training case" : counted(tree.weight(node), "case"));
  return `${parts.join("; ")}; node ${node}`;
}

function bar(tree: Tree, colours: Colours, node: number): SVGGElement {
  const counts = tree.counts(node);
  const total = tree.weight(node);
  const group = svg("g", { class: "shares", attributes: { transform: `translate(${PAD},${BAR.top})` } });
  group.append(svg("rect", { class: "track", attributes: { width: BAR.width, height: BAR.height, rx: 2 } }));
  let others = 0;
  let x = 0;
  counts.forEach((count, k) => {
    if (!colours.hasOwn(k)) others += count;
    else if (count > 0) {
      const width = (BAR.width * count) / total;
      group.append(svg("rect", { attributes: { x, width, height: BAR.height, fill: colours.of(k) } }));
      x += width;
    }
  });
  if (others > 0) {
    const width = (BAR.width * others) / total;
    group.append(svg("rect", { class: "others", attributes: { x, width, height: BAR.height } }));
  }
  return group;
}

export function drawCard(tree: Tree, answers: Answers, colours: Colours, node: number): SVGGElement {
  const leaf = tree.isLeaf(node);
  const vote = answers.vote(node);
  const width = CARD.width - 2 * PAD;
  const headline = leaf ? tree.data.classes[vote]! : questionOf(tree, node);
  const group = svg("g", { class: leaf ? "node leaf" : "node" });
  const body = svg("g", { attributes: { transform: `translate(0,${-CARD.height / 2})` } });
  body.append(
    svg("rect", { class: "card", attributes: { width: CARD.width, height: CARD.height, rx: 9 } }),
    svg("rect", {
      class: "stripe",
      attributes: { x: 4, y: 8, width: 4, height: CARD.height - 16, rx: 2, fill: colours.of(vote) },
    }),
    svg("text", { class: "condition", attributes: { x: PAD, y: 19 } }, fittedCondition(tree, node, width)),
    svg("text", { class: "headline", attributes: { x: PAD, y: 39 } }, fitted(headline, "600 15px", width - 8)),
    bar(tree, colours, node),
    svg(
      "text",
      { class: "count", attributes: { x: CARD.width - PAD + 3, y: BAR.top + 7.5, "text-anchor": "end" } },
      amount(tree.weight(node)),
    ),
  );
  group.append(body);
  return group;
}

// The button at a card's right edge that opens and closes what is below.
export function drawToggle(hidden: number | null): SVGGElement {
  const open = hidden === null;
  const text = open ? "–" : `+${amount(hidden)}`;
  const width = open ? 20 : 12 + 7 * text.length;
  return svg(
    "g",
    { class: "toggle", attributes: { transform: `translate(${CARD.width},0)`, "aria-hidden": "true" } },
    svg("rect", { attributes: { x: -10, y: -10, width, height: 20, rx: 10 } }),
    svg("text", { attributes: { x: width / 2 - 10, y: 4, "text-anchor": "middle" } }, text),
  );
}
