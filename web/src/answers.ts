// What nodes answer: the page's version of `cpp/ramify/answers`, operation by operation, so that it gives the
// very same numbers.
import type { Model, Smoothing } from "./data";
import type { Tree } from "./tree";

const SMALLEST = 2.2250738585072014e-308; // the least normal number: all costs may be 0

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function sharesOf(counts: readonly number[], root: readonly number[], smoothing: Smoothing): number[] {
  const total = sum(counts);
  if (smoothing === "laplace") {
    const all = total + counts.length;
    return counts.map((count) => (count + 1) / all);
  }
  const shares = counts.map((count) => (total > 0 ? count / total : 0));
  if (smoothing === null) return shares;
  const cases = sum(root);
  const added = 1 / (1 + total / smoothing);
  return shares.map((share, k) => (1 - added) * share + added * (cases > 0 ? root[k]! / cases : 0));
}

export class Answers {
  private readonly costs: number[][] | null;

  constructor(
    readonly tree: Tree,
    private readonly model: Model,
  ) {
    this.costs = null;
    if (model.costs !== null) {
      const unit = Math.max(SMALLEST, ...model.costs.flat());
      this.costs = model.costs.map((row) => row.map((cost) => cost / unit));
    }
  }

  // The counts by which a node answers: its own, or those of the nearest node above that has cases.
  private counted(node: number): number[] {
    let at = node;
    while (this.tree.rows(at) === 0 && at > 0) at = this.tree.parent[at]!;
    return this.tree.counts(at);
  }

  private honest(counts: readonly number[]): readonly number[] {
    const weights = this.model.class_weight;
    return weights === null ? counts : counts.map((count, k) => (weights[k]! > 0 ? count / weights[k]! : 0));
  }

  // The share of each class, class weights taken out again.
  shares(node: number): number[] {
    return sharesOf(this.honest(this.counted(node)), this.honest(this.tree.counts(0)), this.model.smoothing);
  }

  // The shares by which a node votes.
  votingShares(node: number): number[] {
    return sharesOf(this.counted(node), this.tree.counts(0), this.model.voting);
  }

  // The class that a node votes for.
  vote(node: number): number {
    return this.voteOf(this.votingShares(node));
  }

  // The class that shares vote for; a later one must be better by more than the tolerance.
  voteOf(shares: readonly number[]): number {
    const costs = this.costs;
    const worth = (k: number): number => {
      if (costs === null) return shares[k]!;
      let expected = 0;
      for (let truth = 0; truth < shares.length; ++truth) expected += shares[truth]! * costs[truth]![k]!;
      return -expected;
    };
    let winner = 0;
    let best = worth(0);
    for (let k = 1; k < shares.length; ++k) {
      const here = worth(k);
      if (here > best + this.model.tolerance) {
        winner = k;
        best = here;
      }
    }
    return winner;
  }

  // What a node weighs to a case that goes down in parts: to its vote, and to its shares.
  votingWeight = (node: number): number => this.tree.weight(node);

  shareWeight = (node: number): number => {
    const part = this.tree.data.nodes.part;
    return part === null ? this.tree.weight(node) : part[this.tree.pooled[node]!]!;
  };
}
