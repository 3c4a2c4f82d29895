// A case's way down a tree: the page's version of `cpp/ramify/predict`.
import { Answers } from "./answers";
import { isMissing, type Case } from "./case";
import { Kind, type Tree } from "./tree";

const STAYS = -1;
const EVERY_BRANCH = -2;

export interface End {
  readonly node: number;
  readonly part: number;
}

export interface Walked {
  readonly passed: ReadonlyMap<number, number>; // each node on the way, with the part of the case that passes it
  readonly ends: readonly End[];
}

function branchOf(tree: Tree, node: number, values: Case): number {
  if (tree.isLeaf(node)) return STAYS;
  const splits = tree.data.splits;
  const split = tree.split(node);
  const column = splits.column[split]!;
  const value = values.codes[column]!;
  if (isMissing(tree.data.columns[column]!, value)) return splits.missing[split]!;
  switch (splits.kind[split]) {
    case Kind.threshold:
      return value > splits.threshold[split]! ? 1 : 0;
    case Kind.known:
      return 0;
    default: {
      const route = value < 0 ? STAYS : (splits.routes[split]![value] ?? STAYS);
      return route < 0 ? STAYS : route;
    }
  }
}

// Ends come in the order in which the core finds them: sums of parts are rounded the same way then.
export function walk(tree: Tree, values: Case, weightOf: (node: number) => number): Walked {
  const passed = new Map<number, number>();
  const ends: End[] = [];
  const stack: End[] = [{ node: 0, part: 1 }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    passed.set(at.node, at.part);
    const branch = branchOf(tree, at.node, values);
    if (branch >= 0) {
      stack.push({ node: tree.firstChild[at.node]! + branch, part: at.part });
      continue;
    }
    const children = branch === EVERY_BRANCH ? tree.children(at.node) : [];
    const all = children.reduce((sum, child) => sum + weightOf(child), 0);
    if (!(all > 0)) {
      ends.push(at); // no branch has a share: it stays
      continue;
    }
    for (const child of children) {
      const weight = weightOf(child);
      if (weight > 0) stack.push({ node: child, part: at.part * (weight / all) });
    }
  }
  return { passed, ends };
}

export interface Answer {
  readonly vote: number;
  readonly shares: readonly number[];
  readonly walked: Walked;
}

// What the model predicts for a case: `predict` and `predict_proba`, number by number.
export function answer(tree: Tree, answers: Answers, values: Case): Answer {
  const voting = walk(tree, values, answers.votingWeight);
  const vote = answers.voteOf(mixed(voting, (node) => answers.votingShares(node)));
  const walked = walk(tree, values, answers.shareWeight);
  const shares = mixed(walked, (node) => answers.shares(node)).map((share) => Math.min(share, 1));
  return { vote, shares, walked };
}

function mixed(walked: Walked, sharesOf: (node: number) => readonly number[]): number[] {
  const sums: number[] = [];
  for (const { node, part } of walked.ends) {
    sharesOf(node).forEach((share, k) => (sums[k] = (sums[k] ?? 0) + part * share));
  }
  return sums;
}
