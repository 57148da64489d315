import { describe, expect, it } from '@jest/globals';
import { makePdf } from './pdf.ts';

describe('makePdf', () => {
  const text = Buffer.from(makePdf(['Tomás Ferreira', 'Years (in teams) \\ 7'])).toString('latin1');

  it('has a cross-reference table with the place of each object', () => {
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    const [, ...entries] = text.slice(start).match(/^\d{10} \d{5} [fn] $/gm) ?? [];
    const found = entries.map((entry) =>
      text.slice(Number(entry.slice(0, 10)), Number(entry.slice(0, 10)) + 7),
    );
    expect(text.slice(start, start + 5)).toBe('xref\n');
    expect(found).toEqual(['1 0 obj', '2 0 obj', '3 0 obj', '4 0 obj', '5 0 obj']);
  });

  it('says how long its content is', () => {
    const [, length, content] = /\/Length (\d+) >>\nstream\n(.*)\nendstream/s.exec(text) ?? [];
    expect(content).toHaveLength(Number(length));
  });

  it('escapes parentheses and backslashes', () => {
    expect(text).toContain(String.raw`(Tom${'\u00e1'}s Ferreira) Tj`);
    expect(text).toContain(String.raw`(Years \(in teams\) \\ 7) Tj`);
  });
});
