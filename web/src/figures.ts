// Numbers as people read them.

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

export function amount(value: number): string {
  return grouped.format(value);
}

export function figure(value: number | null | undefined, digits = 4): string {
  return value === null || value === undefined ? "–" : String(Number(value.toPrecision(digits)));
}

// Never 0% or 100% for what is not quite that.
export function percent(share: number, digits = 0): string {
  if (share === 0 || share === 1) return share === 0 ? "0%" : "100%";
  const step = 0.5 / 10 ** (digits + 2);
  if (share > 0 && share < step) return `<${figure(2 * step * 100)}%`;
  if (share < 1 && share > 1 - step) return `>${figure(100 - 2 * step * 100)}%`;
  return `${(100 * share).toFixed(digits)}%`;
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${amount(value)} ${value === 1 ? one : many}`;
}
