// Cases from pasted text: lines of CSV or TSV, with a header or in column order, or JSON.
import { CaseError, makeCase, type Case } from "./case";
import type { PageData } from "./data";

type Texts = (string | null)[];

export function readPasted(data: PageData, text: string): Case[] {
  const trimmed = text.trim();
  if (trimmed === "") throw new CaseError("There is no case yet: paste a line of CSV or TSV, or JSON.");
  const rows = /^[[{]/.test(trimmed) ? readJson(data, trimmed) : readLines(data, text);
  return rows.map((row) => makeCase(data, row));
}

function readJson(data: PageData, text: string): Texts[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new CaseError(`This is no valid JSON: ${(error as Error).message}`);
  }
  const single = !Array.isArray(parsed) || !parsed.every((entry) => typeof entry === "object" && entry !== null);
  const cases = single ? [parsed] : (parsed as unknown[]);
  if (cases.length === 0) throw new CaseError("The JSON holds no case.");
  return cases.map((entry) => {
    if (Array.isArray(entry)) return inColumnOrder(data, entry.map(jsonText));
    const named = new Map(Object.entries(entry as object).map(([name, value]) => [name, jsonText(value)]));
    return byName(data, named);
  });
}

function jsonText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "object") throw new CaseError("Values must be texts, numbers, true, false or null.");
  return String(value);
}

function readLines(data: PageData, text: string): Texts[] {
  const rows = splitFields(text, text.includes("\t") ? "\t" : firstOf(text, data));
  const head = rows[0]!.map((field) => field.trim());
  const names = new Set(data.columns.map((column) => column.name));
  const known = head.filter((field) => names.has(field)).length;
  if (rows.length > 1 && 2 * known >= head.length) {
    return rows.slice(1).map((row) => byName(data, new Map(head.map((name, i) => [name, row[i] ?? null]))));
  }
  return rows.map((row) => inColumnOrder(data, row));
}

// Comma or semicolon: the one that gives as many fields as there are columns, else the comma.
function firstOf(text: string, data: PageData): string {
  const fields = splitFields(text, ";")[0]?.length ?? 0;
  return fields === data.columns.length && fields > 1 ? ";" : ",";
}

// Fields may be in double quotes, a quote in them being doubled.
function splitFields(text: string, mark: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  const endField = (): void => {
    row.push(field);
    field = "";
  };
  const endRow = (): void => {
    endField();
    if (row.length > 1 || row[0]!.trim() !== "") rows.push(row);
    row = [];
  };
  for (let i = 0; i < text.length; ++i) {
    const letter = text[i]!;
    if (quoted) {
      if (letter !== '"') field += letter;
      else if (text[i + 1] === '"') field += text[++i]!;
      else quoted = false;
    } else if (letter === '"' && field === "") quoted = true;
    else if (letter === mark) endField();
    else if (letter === "\n") endRow();
    else if (letter !== "\r") field += letter;
  }
  endRow();
  return rows;
}

function inColumnOrder(data: PageData, values: Texts): Texts {
  if (values.length !== data.columns.length) {
    throw new CaseError(
      `A case without a header needs ${data.columns.length} values, one a column; this one has ${values.length}.`,
    );
  }
  return values;
}

function byName(data: PageData, values: ReadonlyMap<string, string | null>): Texts {
  if (!data.columns.some((column) => values.has(column.name))) {
    throw new CaseError(`None of the names is a column; the columns begin with ${data.columns[0]!.name}.`);
  }
  return data.columns.map((column) => values.get(column.name) ?? null);
}
