// What Python put into the page: see `src/ramify/viewer/data.py`, which writes it.

export const FORMAT = 1;

export type Sort = "numeric" | "text" | "number" | "boolean";

export interface Column {
  readonly name: string;
  readonly sort: Sort;
  readonly categories: readonly string[] | null; // null for numbers
}

export type Smoothing = null | "laplace" | number;

export interface Model {
  readonly missing: "fractional" | "best_branch" | "own_branch" | "error";
  readonly handle_unknown: "node" | "error";
  readonly class_weight: readonly number[] | null;
  readonly smoothing: Smoothing;
  readonly voting: Smoothing;
  readonly costs: readonly (readonly number[])[] | null;
  readonly tolerance: number;
}

// A list for each property, one element a split.
export interface Splits {
  readonly column: readonly number[];
  readonly kind: readonly number[];
  readonly threshold: readonly (number | null)[];
  readonly routes: readonly (readonly number[] | null)[];
  readonly missing: readonly number[];
  readonly words: readonly (readonly number[])[];
}

// A list for each property, one element for each different subtree.
export interface Nodes {
  readonly split: readonly number[];
  readonly rows: readonly number[];
  readonly unknown: readonly number[];
  readonly present: readonly (readonly number[])[];
  readonly counts: readonly (readonly number[])[];
  readonly children: readonly (readonly number[])[];
  readonly part: readonly number[] | null;
}

// What a tree has by its node numbers.
export interface TreeData {
  readonly root: number;
  readonly q: number | null;
  readonly score: readonly (number | null)[];
  readonly gain: readonly (number | null)[];
  readonly impurity: readonly (number | null)[];
  readonly search: readonly number[];
  readonly why: readonly (readonly number[])[];
  readonly runner_ups: { readonly [node: string]: readonly (readonly [number, number, string])[] };
}

export interface Path {
  readonly qs: readonly number[];
  readonly tree: readonly number[];
  readonly accuracy: readonly number[];
  readonly accuracy_se: readonly (number | null)[];
  readonly n_nodes: readonly number[];
  readonly full_n_nodes: readonly number[];
  readonly best: number;
  readonly tradeoff: number;
  readonly smallest: number;
  readonly nested: readonly [number, number | null] | null;
  readonly folds: number;
  readonly folds_planned: number;
  readonly start: number;
}

// A number, the number of a category in a list of one, the text of an unknown category, or null if missing.
export type SampleValue = number | readonly [number] | string | null;

export interface Samples {
  readonly rows: readonly number[];
  readonly values: readonly (readonly SampleValue[])[];
  readonly labels: readonly string[] | null;
  readonly of: number;
}

export interface PageData {
  readonly format: number;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly classes: readonly string[];
  readonly model: Model;
  readonly settings: readonly (readonly [string, string])[];
  readonly trees: readonly TreeData[];
  readonly splits: Splits;
  readonly nodes: Nodes;
  readonly path: Path | null;
  readonly cases: Samples | null;
  readonly texts: readonly string[];
}

// Reads base64 of compressed JSON.
export async function unpack(letters: string): Promise<PageData> {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const data = (await new Response(stream).json()) as PageData;
  if (data.format !== FORMAT) throw new Error(`The page holds data of format ${data.format}, not ${FORMAT}.`);
  return data;
}
