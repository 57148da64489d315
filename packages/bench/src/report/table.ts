/** A Markdown table with aligned columns: words left, numbers right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const isWords = header.map((_, column) => rows.some((row) => /^\p{L}{2}/u.test(row[column] ?? '')));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (isWords[column] ? (row[column] ?? '').padEnd(width) : (row[column] ?? '').padStart(width))).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  const [first = [], ...others] = all;
  return [line(first), line(rule), ...others.map(line)].join('\n');
}

/** A number with three significant digits or more. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 1000) return value.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}
