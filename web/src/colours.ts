// Colours of the classes, as colours.css has them for light and dark.

const COLOURS = Array.from({ length: 7 }, (_, i) => `var(--class-${i})`);
const OTHERS = "var(--other-classes)";

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
