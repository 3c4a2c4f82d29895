// The keys of a tree, as the ARIA Authoring Practices have them.
import type { Folding } from "./folding";
import type { Tree } from "./tree";

export interface KeyActions {
  readonly tree: Tree;
  readonly folding: Folding;
  readonly focused: number;
  moveTo(node: number): void;
  toggle(node: number): void;
  select(node: number): void;
  openBeside(node: number): void;
  zoom(factor: number): void;
  fit(): void;
}

// Whether the key was one of the tree's.
export function pressKey(event: KeyboardEvent, on: KeyActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const { tree, folding, focused } = on;
  const shown = folding.shown();
  const place = shown.indexOf(focused);
  const go = (node: number | undefined): void => {
    if (node !== undefined) on.moveTo(node);
  };
  switch (event.key) {
    case "ArrowDown":
      go(shown[place + 1]);
      return true;
    case "ArrowUp":
      go(shown[place - 1]);
      return true;
    case "ArrowRight":
      if (tree.isLeaf(focused)) return true;
      if (folding.isOpen(focused)) go(tree.firstChild[focused]);
      else on.toggle(focused);
      return true;
    case "ArrowLeft":
      if (folding.isOpen(focused)) on.toggle(focused);
      else if (focused > 0) go(tree.parent[focused]);
      return true;
    case "Home":
      go(0);
      return true;
    case "End":
      go(shown.at(-1));
      return true;
    case "Enter":
    case " ":
      on.select(focused);
      return true;
    case "*":
      on.openBeside(focused);
      return true;
    case "+":
    case "=":
      on.zoom(1.25);
      return true;
    case "-":
      on.zoom(0.8);
      return true;
    case "0":
      on.fit();
      return true;
    default:
      return false;
  }
}
