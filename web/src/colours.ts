// Colours of the classes: those of Okabe and Ito, which people with any colour vision can tell apart.

const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#B8A800"];
const OTHERS = "#8A919E";

export class Colours {
  private readonly ofClass: string[];

  // The most frequent classes have a colour each; if there are too many, the others share a grey.
  constructor(counts: readonly number[]) {
    const order = counts.map((_, k) => k);
    const many = counts.length > COLOURS.length;
    if (many) order.sort((a, b) => counts[b]! - counts[a]! || a - b);
    this.ofClass = new Array<string>(counts.length).fill(OTHERS);
    order.slice(0, COLOURS.length).forEach((k, rank) => (this.ofClass[k] = COLOURS[rank]!));
  }

  of(k: number): string {
    return this.ofClass[k]!;
  }

  hasOwn(k: number): boolean {
    return this.ofClass[k] !== OTHERS;
  }
}
