// What the page tells about a node: its rule, cases, answer, the reasons for its split, and what came next.
import type { Answers } from "./answers";
import { questionOf } from "./card";
import type { Colours } from "./colours";
import { button, html } from "./element";
import { amount, counted, figure, percent } from "./figures";
import { sharesTable } from "./shares_table";
import type { Tree } from "./tree";

const SEARCHES = ["every cut was tried", "every grouping was tried", "the best grouping was found", "heuristic"];

export interface NodeActions {
  select(node: number): void;
  openBelow(node: number): void;
  closeBelow(node: number): void;
}

function section(title: string, ...content: (Node | string | null)[]): HTMLElement {
  return html("section", {}, html("h3", {}, title), ...content);
}

function rule(tree: Tree, node: number, actions: NodeActions): HTMLElement | null {
  if (node === 0) return null;
  const steps = tree.way(node).slice(1);
  const list = html("ol", { class: "rule" });
  for (const step of steps) {
    const go = button(`Go to node ${step}`, tree.condition(step), () => actions.select(step), "plain");
    list.append(html("li", {}, go));
  }
  return section("How a case gets here", list);
}

function cases(tree: Tree, colours: Colours, node: number): HTMLElement {
  const total = tree.weight(node);
  if (tree.rows(node) === 0) {
    return section("Training cases", html("p", {}, "No training case got here; it answers like the node above."));
  }
  const rows = tree
    .counts(node)
    .map((count, k) => ({ k, name: tree.data.classes[k]!, share: count / total, count }))
    .filter((row) => row.count > 0)
    .map((row) => ({ ...row, cells: [amount(row.count), percent(row.share, 1)] }));
  const table = sharesTable("Training cases by class", ["Class", "", "Cases", "Share"], rows, colours);
  const share = node === 0 ? "" : `, ${percent(total / tree.weight(0), 1)} of all`;
  const text = `${counted(total, "case")}${share}`;
  const unknown = tree.unknown(node);
  const gap =
    unknown > 0 && !tree.isLeaf(node)
      ? html("p", { class: "quiet" }, `${tree.data.columns[tree.column(node)]!.name} is missing in ${amount(unknown)}.`)
      : null;
  return section("Training cases", html("p", {}, text), table, gap);
}

function reasons(tree: Tree, node: number): HTMLElement {
  const title = tree.isLeaf(node) ? "Why it ends here" : "Why this question";
  const sentences = tree.own.why[node];
  if (sentences === undefined) {
    const told = "The page has no words for nodes this deep; ask for them with ";
    return section(title, html("p", { class: "quiet" }, told, html("code", {}, `ramify.why(model, ${node})`), "."));
  }
  return section(
    title,
    html("div", { class: "why" }, ...sentences.map((id) => html("p", {}, tree.data.texts[id]!))),
    ofWhichOrder(tree),
  );
}

// Many q may grow a tree; its scores are those of one of them.
function ofWhichOrder(tree: Tree): HTMLElement | null {
  const { path, trees } = tree.data;
  const place = trees.indexOf(tree.own);
  if (path === null || path.tree.filter((which) => which === place).length < 2) return null;
  return html(
    "p",
    { class: "quiet" },
    `Words and scores are those of q = ${figure(tree.own.q)}, the lowest q that grows this tree.`,
  );
}

function runnerUps(tree: Tree, node: number): HTMLElement | null {
  const listed = tree.own.runner_ups[String(node)];
  if (listed === undefined) return null;
  const body = html("tbody");
  const row = (question: string, score: string, chosen: boolean): HTMLElement =>
    html(
      "tr",
      { class: chosen ? "chosen" : "" },
      html("th", { attributes: { scope: "row" } }, question),
      html("td", { class: "figure" }, score),
    );
  body.append(row(`${tree.data.columns[tree.column(node)]!.name} (chosen)`, figure(tree.own.score[node]), true));
  for (const [, text, score] of listed) body.append(row(tree.data.texts[text]!, score, false));
  const heads = html("tr", {}, html("th", {}, "Question"), html("th", { class: "figure" }, "Score"));
  return section("Questions that came next", html("table", { class: "runners" }, html("thead", {}, heads), body));
}

function figures(tree: Tree, node: number): HTMLElement {
  const list = html("dl", { class: "figures" });
  const add = (name: string, value: string): void =>
    list.append(html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  add("Impurity", figure(tree.own.impurity[node]));
  if (!tree.isLeaf(node)) {
    add("Gain", figure(tree.own.gain[node]));
    add("Score", figure(tree.own.score[node]));
    add("Search", SEARCHES[tree.own.search[node]!] ?? "–");
    add("Nodes below", amount(tree.below[node]!));
  }
  return html("details", {}, html("summary", {}, "Figures"), list);
}

export function nodePanel(
  tree: Tree,
  answers: Answers,
  colours: Colours,
  node: number,
  actions: NodeActions,
): HTMLElement {
  const leaf = tree.isLeaf(node);
  const vote = answers.vote(node);
  const dot = html("span", { class: "dot" });
  dot.style.background = colours.of(vote);
  const answer = html(
    "p",
    { class: "answer" },
    dot,
    leaf ? "Answer: " : "Answer if it ended here: ",
    html("strong", {}, tree.data.classes[vote]!),
    ` (${percent(answers.shares(node)[vote]!, 1)})`,
  );
  const below = leaf
    ? null
    : html(
        "div",
        { class: "actions" },
        button("Open all below", "Open all below", () => actions.openBelow(node)),
        button("Close below", "Close below", () => actions.closeBelow(node)),
      );
  return html(
    "div",
    {},
    html("p", { class: "kicker" }, `Node ${node}${node === 0 ? ", the root" : leaf ? ", a leaf" : ""}`),
    html("h2", {}, leaf ? tree.data.classes[vote]! : questionOf(tree, node)),
    answer,
    rule(tree, node, actions),
    cases(tree, colours, node),
    reasons(tree, node),
    runnerUps(tree, node),
    below,
    figures(tree, node),
  );
}
