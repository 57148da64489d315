import { describe, expect, it } from '@jest/globals';
import { postings } from './postings.ts';

describe('postings', () => {
  const lines = postings(40, Date.parse('2026-06-01T00:00:00Z')).trimEnd().split('\n');
  const all = lines.map((line) => JSON.parse(line) as Record<string, string>);

  it('have the requested number, each with its own url', () => {
    expect(new Set(all.map(({ url }) => url)).size).toBe(40);
  });

  it('have encoded HTML, some with tags that the API refuses', () => {
    const descriptions = all.map((posting) => posting['description'] ?? '');
    expect(descriptions.every((text) => text.includes('&lt;p') && !text.includes('<'))).toBe(true);
    const odd = descriptions.filter((text) => text.includes('&lt;h2&gt;')).length;
    expect(odd).toBeGreaterThan(0);
    expect(odd).toBeLessThan(30);
  });

  it('are valid on the given day', () => {
    expect(all.every((posting) => (posting['validThrough'] ?? '') > '2026-06-01')).toBe(true);
  });
});
