// The page: what is shown, and what happens when the reader does something.
import { aboutPanel } from "./about_panel";
import { Answers } from "./answers";
import type { Case } from "./case";
import { CasePanel } from "./case_panel";
import { Colours } from "./colours";
import type { PageData } from "./data";
import { button, byId, html } from "./element";
import { amount, counted } from "./figures";
import { Folding } from "./folding";
import { pressKey } from "./keyboard";
import { nodePanel } from "./node_panel";
import { PathStrip } from "./path_strip";
import { preparePrinting } from "./printing";
import { findNodes, Search } from "./search";
import { Stage } from "./stage";
import { Tabs } from "./tabs";
import { themeButton } from "./theme";
import { Tree } from "./tree";
import { answer, type Answer } from "./walk";

const NOTHING: ReadonlySet<number> = new Set();

export class Explorer {
  tree: Tree;
  answers: Answers;
  folding: Folding;
  focused = 0;
  private selected = 0;
  private found: ReadonlySet<number> = NOTHING;
  private changed: ReadonlySet<number> = NOTHING;
  private current: Case | null = null;
  private answered: Answer | null = null;
  private readonly trees = new Map<number, Tree>();
  private readonly colours: Colours;
  private readonly stage: Stage;
  private readonly search: Search;
  private readonly casePanel: CasePanel;
  private readonly tabs = new Tabs();
  private readonly nodeHost = html("div");
  private readonly aboutHost = html("div");

  constructor(readonly data: PageData) {
    this.tree = this.treeOf(data.path === null ? 0 : data.path.tree[data.path.start]!);
    this.answers = new Answers(this.tree, data.model);
    this.colours = new Colours(this.tree.counts(0));
    this.stage = new Stage(this.colours, {
      select: (node) => this.select(node),
      toggle: (node) => this.toggle(node),
    });
    if (data.path !== null) new PathStrip(data.path, (place) => this.moveTo(place)); // takes room from the stage
    this.folding = new Folding(this.tree, this.stage.room);
    this.search = new Search({
      find: (text) => this.find(text),
      visit: (node) => this.visit(node),
      say: (text) => this.say(text),
    });
    this.casePanel = new CasePanel(data, this.askedColumns(), this.colours, {
      show: (values) => this.follow(values),
      select: (node) => this.visit(node),
      say: (text) => this.say(text),
    });
    this.tabs.add("node", "Node", this.nodeHost);
    this.tabs.add("case", "Case", this.casePanel.element);
    this.tabs.add("about", "About", this.aboutHost);
    byId("panel").append(this.tabs.element, ...this.tabs.contents);
    this.tabs.show("node");
    this.addTools();
    this.addKeys();
    this.redraw(null);
    this.tellTree();
    this.tellNode();
    this.stage.fit(true);
    preparePrinting(this.stage);
  }

  private treeOf(place: number): Tree {
    let tree = this.trees.get(place);
    if (tree === undefined) {
      tree = new Tree(this.data, this.data.trees[place]!);
      this.trees.set(place, tree);
    }
    return tree;
  }

  // The columns that some tree of the page asks for, in their order.
  private askedColumns(): ReadonlySet<number> {
    return new Set([...this.data.splits.column].sort((a, b) => a - b));
  }

  private addTools(): void {
    byId("tools").append(
      button("Zoom out", "−", () => this.stage.scaleBy(0.8)),
      button("Zoom in", "+", () => this.stage.scaleBy(1.25)),
      button("Fit the tree into view", "Fit", () => this.stage.fit()),
      button("Open all nodes", "Open all", () => this.openAll()),
      button("Close nodes that are far from the root", "Close", () => this.closeAll()),
      themeButton(),
    );
  }

  private addKeys(): void {
    byId("tree").addEventListener("keydown", (event) => {
      const on = {
        tree: this.tree,
        folding: this.folding,
        focused: this.focused,
        moveTo: (node: number) => this.focus(node),
        toggle: (node: number) => this.toggle(node),
        select: (node: number) => this.select(node),
        openBeside: (node: number) => this.openBeside(node),
        zoom: (factor: number) => this.stage.scaleBy(factor),
        fit: () => this.stage.fit(),
      };
      if (pressKey(event, on)) event.preventDefault();
    });
    addEventListener("keydown", (event) => {
      const writing = event.target instanceof Element && event.target.closest("input, textarea, select") !== null;
      if (event.key !== "/" || writing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.search.focus();
    });
  }

  say(text: string): void {
    byId("live").textContent = text;
  }

  private redraw(still: number | null): void {
    this.stage.draw(this.tree, this.answers, this.folding, still);
    if (!this.folding.shown().includes(this.focused)) this.focused = 0;
    this.mark();
  }

  private mark(): void {
    const { selected, focused, found, changed } = this;
    this.stage.mark(this.tree, { selected, focused, found, changed, walked: this.answered?.walked ?? null });
  }

  private tellTree(): void {
    const { tree, data } = this;
    const facts = [
      counted(tree.size, "node"),
      counted(tree.leaves, "leaf", "leaves"),
      `depth ${amount(tree.maxDepth)}`,
      counted(tree.weight(0), "training case"),
    ];
    byId("summary").textContent = facts.join(" · ");
    this.aboutHost.replaceChildren(aboutPanel(data, tree));
    const shown = data.classes.map((_, k) => k).filter((k) => this.colours.hasOwn(k));
    const entries = shown.map((k) => {
      const dot = html("span", { class: "dot" });
      dot.style.background = this.colours.of(k);
      return html("span", { class: "entry", attributes: { title: data.classes[k]! } }, dot, data.classes[k]!);
    });
    const rest = data.classes.length - shown.length;
    byId("legend").replaceChildren(
      ...entries,
      rest > 0 ? html("span", { class: "entry" }, html("span", { class: "dot others" }), `${rest} others`) : "",
    );
  }

  private tellNode(): void {
    const actions = {
      select: (node: number) => this.visit(node),
      openBelow: (node: number) => this.setBelow(node, true),
      closeBelow: (node: number) => this.setBelow(node, false),
    };
    this.nodeHost.replaceChildren(nodePanel(this.tree, this.answers, this.colours, this.selected, actions));
  }

  select(node: number): void {
    this.selected = this.focused = node;
    this.mark();
    this.tellNode();
    this.tabs.show("node");
    this.stage.focus(this.tree, node);
    this.stage.reveal(node);
  }

  // Selects a node that may be hidden or out of sight.
  visit(node: number): void {
    this.folding.reveal(node);
    this.selected = this.focused = node;
    this.redraw(null);
    this.tellNode();
    this.stage.seek(node);
    this.say(`Node ${node}`);
  }

  private focus(node: number): void {
    this.focused = node;
    this.mark();
    this.stage.focus(this.tree, node);
    this.stage.reveal(node);
  }

  toggle(node: number): void {
    if (this.tree.isLeaf(node)) return;
    this.folding.set(node, !this.folding.isOpen(node));
    this.focused = node;
    this.redraw(node);
    this.stage.focus(this.tree, node);
  }

  private openBeside(node: number): void {
    const beside = node === 0 ? [0] : this.tree.children(this.tree.parent[node]!);
    for (const each of beside) if (!this.tree.isLeaf(each)) this.folding.set(each, true);
    this.redraw(node);
    this.stage.focus(this.tree, node);
  }

  private setBelow(node: number, open: boolean): void {
    this.folding.setBelow(node, open);
    this.redraw(node);
  }

  private openAll(): void {
    this.folding.setBelow(0, true);
    this.redraw(null);
    this.stage.fit();
    this.say(`All ${amount(this.tree.size)} nodes are shown.`);
  }

  private closeAll(): void {
    this.folding.reset();
    this.redraw(null);
    this.stage.fit(true);
    this.say(`${amount(this.folding.shown().length)} of ${amount(this.tree.size)} nodes are shown.`);
  }

  private find(text: string): readonly number[] {
    const found = findNodes(this.tree, this.answers, text);
    this.found = new Set(found);
    this.mark();
    return found;
  }

  // Shows where a case goes; null ends it.
  follow(values: Case | null): void {
    this.current = values;
    this.answered = values === null ? null : answer(this.tree, this.answers, values);
    const ends = this.answered?.walked.ends ?? [];
    for (const end of ends) this.folding.reveal(end.node);
    this.redraw(null);
    this.casePanel.tell(this.tree, this.answered);
    if (ends.length > 0) this.stage.reveal(0, ends.reduce((a, b) => (b.part > a.part ? b : a)).node);
  }

  // To another order q: what is open, selected and followed stays as it is, as far as it is there.
  moveTo(place: number): void {
    const tree = this.treeOf(this.data.path!.tree[place]!);
    if (tree === this.tree) return;
    const before = this.tree;
    const splits = new Map(before.place.map((way, node) => [way, before.isLeaf(node) ? -1 : before.split(node)]));
    const selected = tree.place.indexOf(before.place[this.selected]!);
    this.tree = tree;
    this.answers = new Answers(tree, this.data.model);
    this.folding.use(tree);
    this.selected = Math.max(selected, 0);
    this.focused = this.selected;
    this.changed = new Set(
      tree.place.flatMap((way, node) => (splits.get(way) === (tree.isLeaf(node) ? -1 : tree.split(node)) ? [] : [node])),
    );
    this.redraw(0);
    this.search.look();
    this.tellTree();
    this.tellNode();
    if (this.current !== null) this.follow(this.current);
    this.say(`${counted(this.changed.size, "node")} of ${amount(tree.size)} differ from the tree before.`);
  }
}
