// A tree of the page: nodes numbered level by level, as the model's are.
import type { PageData, TreeData } from "./data";

export const enum Kind {
  leaf = 0,
  threshold = 1,
  subset = 2,
  multiway = 3,
  known = 4,
}

export class Tree {
  readonly size: number;
  readonly pooled: number[] = []; // the number of each node's subtree, the same for equal subtrees of all trees
  readonly parent: number[] = [];
  readonly depth: number[] = [];
  readonly firstChild: number[] = [];
  readonly nChildren: number[] = [];
  readonly branch: number[] = []; // which child of its parent a node is
  readonly below: number[]; // nodes below each node
  readonly place: string[] = []; // the way to a node, the same text in all trees

  constructor(
    readonly data: PageData,
    readonly own: TreeData,
  ) {
    this.pooled.push(own.root);
    this.parent.push(-1);
    this.depth.push(0);
    this.branch.push(0);
    this.place.push("");
    for (let node = 0; node < this.pooled.length; ++node) {
      const children = data.nodes.children[this.pooled[node]!]!;
      this.nChildren.push(children.length);
      this.firstChild.push(children.length > 0 ? this.pooled.length : -1);
      children.forEach((child, branch) => {
        this.pooled.push(child);
        this.parent.push(node);
        this.depth.push(this.depth[node]! + 1);
        this.branch.push(branch);
        this.place.push(`${this.place[node]!}/${branch}`);
      });
    }
    this.size = this.pooled.length;
    this.below = new Array<number>(this.size).fill(0);
    for (let node = this.size - 1; node > 0; --node) this.below[this.parent[node]!]! += this.below[node]! + 1;
  }

  isLeaf(node: number): boolean {
    return this.nChildren[node] === 0;
  }

  children(node: number): number[] {
    return Array.from({ length: this.nChildren[node]! }, (_, i) => this.firstChild[node]! + i);
  }

  // From the root to the node itself.
  way(node: number): number[] {
    const way = [node];
    while (way[0]! > 0) way.unshift(this.parent[way[0]!]!);
    return way;
  }

  get leaves(): number {
    return this.nChildren.filter((n) => n === 0).length;
  }

  get maxDepth(): number {
    return this.depth[this.size - 1]!;
  }

  // Weight of the training cases by class.
  counts(node: number): number[] {
    const counts = new Array<number>(this.data.classes.length).fill(0);
    const pooled = this.pooled[node]!;
    this.data.nodes.present[pooled]!.forEach((k, i) => (counts[k] = this.data.nodes.counts[pooled]![i]!));
    return counts;
  }

  weight(node: number): number {
    return this.data.nodes.counts[this.pooled[node]!]!.reduce((sum, count) => sum + count, 0);
  }

  rows(node: number): number {
    return this.data.nodes.rows[this.pooled[node]!]!;
  }

  // Weight of the training cases whose value was missing.
  unknown(node: number): number {
    return this.data.nodes.unknown[this.pooled[node]!]!;
  }

  // Of an inner node.
  split(node: number): number {
    return this.data.nodes.split[this.pooled[node]!]!;
  }

  column(node: number): number {
    return this.isLeaf(node) ? -1 : this.data.splits.column[this.split(node)]!;
  }

  // The condition of the branch that leads to a node, without and with its column.
  branchWords(node: number): string {
    const above = this.parent[node]!;
    return above < 0 ? "" : this.data.texts[this.data.splits.words[this.split(above)]![this.branch[node]!]!]!;
  }

  condition(node: number): string {
    const above = this.parent[node]!;
    return above < 0 ? "" : `${this.data.columns[this.column(above)]!.name} ${this.branchWords(node)}`;
  }
}
