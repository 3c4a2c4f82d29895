// Elements of the page. Texts become text nodes, never markup: names in data can hold anything.

type Child = Node | string | null | undefined;
type Handlers = { [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void };

export interface Options {
  readonly class?: string;
  readonly attributes?: { readonly [name: string]: string | number | boolean | undefined };
  readonly on?: Handlers;
}

function dress(element: Element, options: Options, children: readonly Child[]): void {
  if (options.class !== undefined) element.setAttribute("class", options.class);
  for (const [name, value] of Object.entries(options.attributes ?? {})) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const [name, handler] of Object.entries(options.on ?? {})) {
    element.addEventListener(name, handler as EventListener);
  }
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
}

export function html<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  options: Options = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  dress(element, options, children);
  return element;
}

export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T,
  options: Options = {},
  ...children: Child[]
): SVGElementTagNameMap[T] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(element, options, children);
  return element;
}

export function byId<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element #${id}.`);
  return found as unknown as T;
}

export function button(label: string, shown: string, onClick: () => void, extra = ""): HTMLButtonElement {
  return html(
    "button",
    {
      class: `button ${extra}`.trim(),
      attributes: { type: "button", title: label, "aria-label": label === shown ? undefined : label },
      on: { click: onClick },
    },
    shown,
  );
}
