// Classes with their shares as bars, the largest first.
import type { Colours } from "./colours";
import { html } from "./element";

export interface ShareRow {
  readonly k: number;
  readonly name: string;
  readonly share: number; // length of the bar
  readonly cells: readonly string[];
}

const SHOWN = 12;

export function sharesTable(
  caption: string,
  heads: readonly string[],
  rows: readonly ShareRow[],
  colours: Colours,
): HTMLElement {
  const sorted = [...rows].sort((a, b) => b.share - a.share || a.k - b.k);
  const table = html(
    "table",
    { class: "shares-table" },
    html("caption", { class: "unseen" }, caption),
    html("thead", { class: "unseen" }, html("tr", {}, ...heads.map((head) => html("th", {}, head)))),
  );
  const body = html("tbody");
  for (const row of sorted.slice(0, SHOWN)) {
    const fill = html("span", { class: "fill" });
    fill.style.width = `${100 * row.share}%`;
    fill.style.background = colours.of(row.k);
    body.append(
      html(
        "tr",
        {},
        html("th", { attributes: { scope: "row", title: row.name } }, row.name),
        html("td", { class: "bar", attributes: { "aria-hidden": "true" } }, html("span", { class: "track" }, fill)),
        ...row.cells.map((cell) => html("td", { class: "figure" }, cell)),
      ),
    );
  }
  table.append(body);
  const rest = sorted.length - SHOWN;
  if (rest <= 0) return table;
  return html("div", {}, table, html("p", { class: "quiet" }, `and ${rest} more classes`));
}
