// A case: paste one, pick one or fill it in, and see where it goes.
import { CaseError, checkCase, isMissing, isUnseen, makeCase, sampleCase, type Case } from "./case";
import type { Colours } from "./colours";
import type { Column, PageData } from "./data";
import { button, html } from "./element";
import { percent } from "./figures";
import { readPasted } from "./pasted";
import { sharesTable } from "./shares_table";
import type { Tree } from "./tree";
import type { Answer } from "./walk";

export interface CaseActions {
  show(values: Case | null): void;
  select(node: number): void;
  say(text: string): void;
}

// One of a list of cases: those of the page, or pasted ones.
interface Listed {
  readonly label: string;
  readonly values: Case;
  readonly truth: string | null;
}

const UNSEEN = "\u0000unseen"; // values of options that are no category
const MISSING = "\u0000missing";

export class CasePanel {
  readonly element = html("div", { class: "case" });
  private readonly paste = html("textarea", {
    attributes: {
      id: "paste",
      rows: 4,
      spellcheck: "false",
      "aria-describedby": "paste-help",
      "aria-label": "A case as CSV, TSV or JSON",
    },
  });
  private readonly trouble = html("p", { class: "trouble", attributes: { role: "alert" } });
  private readonly picker = html("select", { attributes: { id: "picker", "aria-label": "Case" } });
  private readonly picking = html("div", { class: "picking" });
  private readonly fields = new Map<number, HTMLInputElement | HTMLSelectElement>();
  private readonly result = html("div", { class: "result" });
  private listed: Listed[] = [];
  private truth: string | null = null;
  private unseen = new Map<number, string>();

  constructor(
    private readonly data: PageData,
    private readonly asked: ReadonlySet<number>, // the columns that some tree asks for
    private readonly colours: Colours,
    private readonly actions: CaseActions,
  ) {
    this.paste.placeholder = `${data.columns.slice(0, 3).map((column) => column.name).join(",")}…\none line of values`;
    this.paste.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.read();
    });
    this.picker.addEventListener("change", () => this.pick(this.picker.selectedIndex - 1));
    this.picking.append(
      this.picker,
      button("Previous case", "‹", () => this.step(-1)),
      button("Next case", "›", () => this.step(1)),
    );
    const samples = data.cases;
    if (samples !== null) {
      this.list(
        samples.rows.map((row, i) => ({
          label: `Row ${row}${samples.labels === null ? "" : ` (${samples.labels[i]!})`}`,
          values: sampleCase(data, i),
          truth: samples.labels?.[i] ?? null,
        })),
        `Pick one of ${samples.rows.length} cases`,
      );
    } else this.picking.hidden = true;
    this.element.append(
      html("h2", {}, "Follow a case"),
      this.result,
      this.picking,
      html(
        "details",
        { attributes: { open: samples === null } },
        html("summary", {}, "Paste a case"),
        html(
          "p",
          { class: "quiet", attributes: { id: "paste-help" } },
          "A line of CSV or TSV in the order of the columns, or with a header line; or JSON. Leave a value empty if it is missing.",
        ),
        this.paste,
        html("div", { class: "actions" }, button("Show its path", "Show its path", () => this.read(), "primary")),
        this.trouble,
      ),
      this.form(),
    );
  }

  private list(listed: Listed[], title: string): void {
    this.listed = listed;
    this.picker.replaceChildren(
      html("option", {}, title),
      ...listed.map((entry) => html("option", {}, entry.label)),
    );
    this.picking.hidden = false;
  }

  private pick(place: number): void {
    const entry = this.listed[place];
    if (entry === undefined) return;
    this.picker.selectedIndex = place + 1;
    this.truth = entry.truth;
    this.fill(entry.values);
    this.show(entry.values);
  }

  private step(by: number): void {
    const place = this.picker.selectedIndex - 1 + by;
    this.pick(Math.max(0, Math.min(this.listed.length - 1, place)));
  }

  private read(): void {
    try {
      const cases = readPasted(this.data, this.paste.value);
      if (cases.length > 1) {
        const listed = cases.map((values, i) => ({ label: `Pasted line ${i + 1}`, values, truth: null }));
        this.list(listed, `Pick one of ${cases.length} pasted cases`);
        this.pick(0);
        return;
      }
      this.truth = null;
      this.picker.selectedIndex = 0;
      this.fill(cases[0]!);
      this.show(cases[0]!);
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    if (!(error instanceof CaseError)) throw error;
    this.trouble.textContent = error.message;
    this.actions.show(null);
  }

  private show(values: Case): void {
    try {
      checkCase(this.data, values, this.asked);
      this.trouble.textContent = "";
      this.actions.show(values);
    } catch (error) {
      this.refuse(error);
    }
  }

  private form(): HTMLElement {
    const grid = html("div", { class: "fields" });
    for (const i of this.asked) {
      const column = this.data.columns[i]!;
      const field = this.field(column, i);
      this.fields.set(i, field);
      grid.append(html("label", { attributes: { for: field.id, title: column.name } }, column.name), field);
    }
    const unused = this.data.columns.length - this.asked.size;
    const note = unused > 0 ? `The other ${unused} columns make no difference here.` : "";
    return html(
      "details",
      { attributes: { id: "form", open: this.asked.size <= 8 && this.data.cases === null } },
      html("summary", {}, "Fill in or change values"),
      grid,
      html("p", { class: "quiet" }, note),
      html("div", { class: "actions" }, button("Clear the case", "Clear", () => this.clear())),
    );
  }

  private field(column: Column, i: number): HTMLInputElement | HTMLSelectElement {
    const on = { change: () => this.changed(), input: () => this.changed() };
    if (column.categories === null) {
      const attributes = { id: `field-${i}`, type: "text", inputmode: "decimal", placeholder: "missing" };
      return html("input", { attributes, on });
    }
    const field = html("select", { attributes: { id: `field-${i}` }, on: { change: on.change } });
    const option = (value: string, text: string): HTMLOptionElement => html("option", { attributes: { value } }, text);
    field.append(option(MISSING, "(missing)"));
    column.categories.forEach((category, code) => field.append(option(String(code), category)));
    field.append(option(UNSEEN, "(another category)"));
    return field;
  }

  private fill(values: Case): void {
    this.unseen.clear();
    for (const [i, field] of this.fields) {
      const column = this.data.columns[i]!;
      const code = values.codes[i]!;
      if (isMissing(column, code)) field.value = column.categories === null ? "" : MISSING;
      else if (column.categories === null) field.value = values.texts[i]!.trim();
      else if (isUnseen(column, code)) {
        field.value = UNSEEN;
        this.unseen.set(i, values.texts[i]!);
      } else field.value = String(code);
    }
  }

  // A value was changed by hand: this is another case now.
  private changed(): void {
    this.truth = null;
    this.picker.selectedIndex = 0;
    try {
      const texts = this.data.columns.map((column, i): string | null => {
        const field = this.fields.get(i);
        if (field === undefined || field.value === MISSING) return null;
        if (column.categories === null) return field.value;
        return field.value === UNSEEN ? (this.unseen.get(i) ?? UNSEEN) : column.categories[Number(field.value)]!;
      });
      this.show(makeCase(this.data, texts));
    } catch (error) {
      this.refuse(error);
    }
  }

  private clear(): void {
    for (const [i, field] of this.fields) field.value = this.data.columns[i]!.categories === null ? "" : MISSING;
    this.paste.value = "";
    this.trouble.textContent = "";
    this.truth = null;
    this.picker.selectedIndex = 0;
    this.actions.show(null);
  }

  // Tells what the tree answers to the case; null takes it away.
  tell(tree: Tree, found: Answer | null): void {
    this.result.replaceChildren();
    if (found === null) return;
    const name = this.data.classes[found.vote]!;
    const dot = html("span", { class: "dot" });
    dot.style.background = this.colours.of(found.vote);
    const rows = found.shares
      .map((share, k) => ({ k, name: this.data.classes[k]!, share, cells: [percent(share, 1)] }))
      .filter((row) => row.share > 0);
    this.result.append(
      html("p", { class: "answer" }, dot, "Answer: ", html("strong", { attributes: { id: "answer" } }, name)),
      this.compared(name) ?? "",
      sharesTable("Probabilities", ["Class", "", "Probability"], rows, this.colours),
      this.way(tree, found),
    );
    this.actions.say(`The answer is ${name}, probability ${percent(found.shares[found.vote]!, 1)}.`);
  }

  private compared(name: string): HTMLElement | null {
    if (this.truth === null) return null;
    const right = this.truth === name;
    const text = right ? "That is its true class." : `Its true class is ${this.truth}.`;
    return html("p", { class: right ? "right" : "wrong" }, text);
  }

  private way(tree: Tree, found: Answer): HTMLElement {
    const list = html("ol", { class: "rule" });
    const { passed, ends } = found.walked;
    for (const node of [...passed.keys()].sort((a, b) => a - b)) {
      const part = passed.get(node)!;
      const share = part < 1 - 1e-12 ? ` (${percent(part)} of the case)` : "";
      const text = node === 0 ? "All cases" : tree.condition(node);
      const end = ends.some((entry) => entry.node === node && !tree.isLeaf(node)) ? " – stays here" : "";
      const go = button(`Go to node ${node}`, `${text}${share}${end}`, () => this.actions.select(node), "plain");
      list.append(html("li", {}, go));
    }
    return html("details", { attributes: { open: passed.size <= 12 } }, html("summary", {}, "Its path"), list);
  }
}
