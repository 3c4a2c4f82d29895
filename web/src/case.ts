// A case: one value a column, as the tree's splits read it.
import type { Column, PageData, SampleValue } from "./data";

const UNSEEN = -1; // a category that the training data did not have
const MISSING = -2; // of a nominal column; a missing number is NaN

// What stands for a missing value in text, unless it is the name of a category.
const NULLS = new Set(["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "?"]);

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

export interface Case {
  readonly codes: readonly number[]; // numbers, or the numbers of categories
  readonly texts: readonly string[]; // as they were given
}

// A value can't be read; the text says which and why.
export class CaseError extends Error {}

export function isMissing(column: Column, code: number): boolean {
  return column.sort === "numeric" ? Number.isNaN(code) : code === MISSING;
}

export function isUnseen(column: Column, code: number): boolean {
  return column.sort !== "numeric" && code === UNSEEN;
}

function missingCode(column: Column): number {
  return column.sort === "numeric" ? NaN : MISSING;
}

function readNumber(column: Column, text: string): number {
  if (NULLS.has(text)) return NaN;
  const value = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) throw new CaseError(`${column.name} must be a number; "${text}" is none.`);
  return value;
}

function readCategory(column: Column, text: string): number {
  const categories = column.categories ?? [];
  const trimmed = text.trim();
  for (const wanted of [text, trimmed]) {
    const place = categories.indexOf(wanted);
    if (place >= 0) return place;
  }
  if (column.sort === "number" && NUMBER.test(trimmed)) {
    const place = categories.findIndex((category) => Number(category) === Number(trimmed));
    if (place >= 0) return place;
  }
  if (column.sort === "boolean") {
    const place = categories.findIndex((category) => category.toLowerCase() === trimmed.toLowerCase());
    if (place >= 0) return place;
  }
  return NULLS.has(trimmed) ? MISSING : UNSEEN;
}

export function codeOf(column: Column, text: string | null): number {
  if (text === null) return missingCode(column);
  return column.sort === "numeric" ? readNumber(column, text.trim()) : readCategory(column, text);
}

// A case from a text for each column; null is missing.
export function makeCase(data: PageData, texts: readonly (string | null)[]): Case {
  return {
    codes: data.columns.map((column, i) => codeOf(column, texts[i] ?? null)),
    texts: texts.map((text) => text ?? ""),
  };
}

// Refuses what the model refuses, in columns that are asked about; others make no difference.
export function checkCase(data: PageData, values: Case, asked: ReadonlySet<number>): void {
  data.columns.forEach((column, i) => {
    if (!asked.has(i)) return;
    if (data.model.missing === "error" && isMissing(column, values.codes[i]!)) {
      throw new CaseError(`${column.name} is missing, and the model was told to refuse missing values.`);
    }
    if (data.model.handle_unknown === "error" && isUnseen(column, values.codes[i]!)) {
      throw new CaseError(`${column.name} has the unknown category "${values.texts[i]!}", which the model refuses.`);
    }
  });
}

function sampleText(column: Column, value: SampleValue): string | null {
  if (value === null || typeof value === "string") return value;
  return typeof value === "number" ? String(value) : column.categories![value[0]]!;
}

export function sampleCase(data: PageData, place: number): Case {
  const texts = data.columns.map((column, i) => sampleText(column, data.cases!.values[i]![place]!));
  return {
    // The code itself, not its text: an unknown category may be spelt like a missing value.
    codes: data.columns.map((column, i) => {
      const value = data.cases!.values[i]![place]!;
      if (value === null) return missingCode(column);
      return typeof value === "number" ? value : typeof value === "string" ? UNSEEN : value[0];
    }),
    texts: texts.map((text) => text ?? ""),
  };
}
