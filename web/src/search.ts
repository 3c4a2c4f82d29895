// Search for columns, values, classes and node numbers.
import type { Answers } from "./answers";
import { button, byId, html } from "./element";
import type { Tree } from "./tree";

// The nodes that a text finds, in the order of their numbers: by number, question, condition or answer.
export function findNodes(tree: Tree, answers: Answers, wanted: string): number[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return [];
  const number = /^#?\d+$/.test(text) ? Number(text.replace("#", "")) : -1;
  const found: number[] = [];
  for (let node = 0; node < tree.size; ++node) {
    if (node === number || (!text.startsWith("#") && describe(tree, answers, node).includes(text))) found.push(node);
  }
  // The node of that number comes first: it is what a number most likely means.
  return number > 0 && found.includes(number) ? [number, ...found.filter((node) => node !== number)] : found;
}

function describe(tree: Tree, answers: Answers, node: number): string {
  const parts = [tree.condition(node), ...categoriesInto(tree, node)];
  if (tree.isLeaf(node)) parts.push(tree.data.classes[answers.vote(node)]!);
  else parts.push(tree.data.columns[tree.column(node)]!.name);
  return parts.join("\n").toLowerCase();
}

// All categories of the branch to a node; its words may leave some out.
function categoriesInto(tree: Tree, node: number): string[] {
  if (node === 0) return [];
  const split = tree.split(tree.parent[node]!);
  const routes = tree.data.splits.routes[split];
  const { categories } = tree.data.columns[tree.data.splits.column[split]!]!;
  if (routes === null || routes === undefined || categories === null) return [];
  return categories.filter((_, code) => routes[code] === tree.branch[node]);
}

export interface SearchActions {
  find(text: string): readonly number[];
  visit(node: number): void;
  say(text: string): void;
}

export class Search {
  private readonly input = html("input", {
    attributes: {
      type: "search",
      id: "wanted",
      placeholder: "Search the tree",
      "aria-label": "Search for a column, a value, a class or a node number",
      autocomplete: "off",
      spellcheck: "false",
    },
  });
  private readonly status = html("span", { class: "matches" });
  private found: readonly number[] = [];
  private at = -1;

  constructor(private readonly actions: SearchActions) {
    const form = byId<HTMLFormElement>("search");
    form.append(
      this.input,
      this.status,
      button("Previous match", "↑", () => this.step(-1)),
      button("Next match", "↓", () => this.step(1)),
    );
    this.input.addEventListener("input", () => this.look());
    form.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      else if (event.key === "Escape") {
        this.input.value = "";
        this.look();
      } else return;
      event.preventDefault();
    });
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  // Looks again, as after a change of the tree.
  look(): void {
    this.found = this.actions.find(this.input.value);
    this.at = -1;
    this.tell();
  }

  private tell(): void {
    const many = this.found.length;
    const text = many === 0 ? "none" : this.at < 0 ? String(many) : `${this.at + 1} of ${many}`;
    this.status.textContent = this.input.value.trim() === "" ? "" : text;
    if (this.input.value.trim() !== "" && this.at < 0) this.actions.say(`${many} matches`);
  }

  private step(by: number): void {
    if (this.found.length === 0) return;
    this.at = (Math.max(this.at, by < 0 ? 0 : -1) + by + this.found.length) % this.found.length;
    this.tell();
    this.actions.visit(this.found[this.at]!);
  }
}
