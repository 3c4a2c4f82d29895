// Which nodes are open. What a reader opens or closes stays so while q moves, place by place.
import type { Tree } from "./tree";

const SHOWN_AT_FIRST = 60;

export class Folding {
  private readonly chosen = new Map<string, boolean>();
  private openDepth = 0;

  constructor(private tree: Tree) {
    this.use(tree);
  }

  // Levels are open as long as not too many nodes are shown.
  use(tree: Tree): void {
    this.tree = tree;
    const ofDepth: number[] = [];
    for (const depth of tree.depth) ofDepth[depth] = (ofDepth[depth] ?? 0) + 1;
    let shown = ofDepth[0]! + (ofDepth[1] ?? 0);
    let open = 1;
    while (open < tree.maxDepth && shown + ofDepth[open + 1]! <= SHOWN_AT_FIRST) shown += ofDepth[++open]!;
    this.openDepth = open;
  }

  isOpen(node: number): boolean {
    if (this.tree.isLeaf(node)) return false;
    return this.chosen.get(this.tree.place[node]!) ?? this.tree.depth[node]! < this.openDepth;
  }

  set(node: number, open: boolean): void {
    this.chosen.set(this.tree.place[node]!, open);
  }

  // Opens all nodes above a node.
  reveal(node: number): void {
    for (const above of this.tree.way(node).slice(0, -1)) this.set(above, true);
  }

  // Opens or closes a node and all below it.
  setBelow(node: number, open: boolean): void {
    const stack = [node];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.tree.isLeaf(at)) continue;
      this.set(at, open);
      stack.push(...this.tree.children(at));
    }
  }

  reset(): void {
    this.chosen.clear();
  }

  // The shown nodes from top to bottom, each before what is below it.
  shown(): number[] {
    const shown: number[] = [];
    const stack = [0];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      shown.push(at);
      if (this.isOpen(at)) stack.push(...this.tree.children(at).reverse());
    }
    return shown;
  }
}
