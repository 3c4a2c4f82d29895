// Which nodes are open. What a reader opens or closes stays so while q moves, place by place.
import type { Tree } from "./tree";

// How much of a tree is open at first: so many nodes below each other, and so many levels.
export interface Room {
  readonly rows: number;
  readonly levels: number;
}

export class Folding {
  private readonly chosen = new Map<string, boolean>();
  private openDepth = 0;

  constructor(
    private tree: Tree,
    private readonly room: Room,
  ) {
    this.use(tree);
  }

  // Levels are open as long as there is room; the first one always is.
  use(tree: Tree): void {
    this.tree = tree;
    const leaves: number[] = []; // of each depth
    const nodes: number[] = [];
    tree.depth.forEach((depth, node) => {
      nodes[depth] = (nodes[depth] ?? 0) + 1;
      leaves[depth] = (leaves[depth] ?? 0) + (tree.isLeaf(node) ? 1 : 0);
    });
    let open = 1;
    let ended = leaves[0]! + (leaves[1] ?? 0);
    while (open < Math.min(tree.maxDepth, this.room.levels) && ended + nodes[open + 1]! <= this.room.rows) {
      ended += leaves[++open]!;
    }
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
