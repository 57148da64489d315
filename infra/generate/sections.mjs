/**
 * Replaces the text between the lines `generated: <name>` and `end of generated`.
 * @param {Record<string, string>} sections content by name
 */
export function withSections(text, sections) {
  return Object.entries(sections).reduce((before, [name, content]) => {
    const pattern = new RegExp(
      `(generated: ${name}(?: -->)?\\n)(?:[\\s\\S]*?\\n)??([ \\t]*(?:#|<!--) end of generated)`,
    );
    if (!pattern.test(before)) throw new Error(`There is no section "generated: ${name}".`);
    return before.replace(pattern, (_, start, end) => `${start}${content}\n${end}`);
  }, text);
}

/** Indents every line that has text. */
export const indented = (spaces, text) => text.replaceAll(/^(?=.)/gm, ' '.repeat(spaces));

/** A table in Markdown, its columns aligned. */
export function markdownTable(header, rows) {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((row) => row[column].length)),
  );
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
