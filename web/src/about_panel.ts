// What the model is, and how to use the page.
import type { PageData } from "./data";
import { html } from "./element";
import { amount } from "./figures";
import type { Tree } from "./tree";

const KEYS: readonly (readonly [string, string])[] = [
  ["↑ ↓", "the node above or below"],
  ["→", "open a node, then go to its first branch"],
  ["←", "close a node, then go to the one it comes from"],
  ["Home End", "the first or last node that is shown"],
  ["Enter", "tell about the node"],
  ["*", "open all branches beside the node"],
  ["+ −", "zoom"],
  ["0", "fit the tree into view"],
  ["/", "search"],
];

function list(entries: readonly (readonly [string, string])[], kind: string): HTMLElement {
  const made = html("dl", { class: kind });
  for (const [name, value] of entries) {
    made.append(html("div", {}, html("dt", {}, name), html("dd", {}, value)));
  }
  return made;
}

export function aboutPanel(data: PageData, tree: Tree): HTMLElement {
  const nominal = data.columns.filter((column) => column.categories !== null).length;
  const facts: (readonly [string, string])[] = [
    ["Training cases", amount(tree.weight(0))],
    ["Columns", `${amount(data.columns.length)} (${amount(nominal)} nominal)`],
    ["Classes", amount(data.classes.length)],
    ["Nodes", amount(tree.size)],
    ["Leaves", amount(tree.leaves)],
    ["Depth", amount(tree.maxDepth)],
  ];
  if (data.path !== null) facts.push(["Trees", amount(data.trees.length)]);
  return html(
    "div",
    {},
    html("h2", {}, data.title),
    list(facts, "figures"),
    html("h3", {}, "Settings"),
    list(data.settings, "figures code"),
    html("h3", {}, "Keys in the tree"),
    list(KEYS, "keys"),
    html("p", { class: "quiet" }, "Made with ramify. This page needs no network and sends nothing."),
  );
}
