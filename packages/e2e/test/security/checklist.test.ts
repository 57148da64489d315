import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const home = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', home), 'utf8');

/** The cells of all table rows, without headers and rules. */
const lines = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Must hold') && !/^[|\s-]+$/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

/** Pairs of path and test title from `[file](path) "test" "test", [file](path) "test"`. */
function namedTests(cell: string): [string, string][] {
  return [...cell.matchAll(/\]\(([^)]+)\)((?:\s+"(?:[^"])+")*)/g)].flatMap(([, path = '', names = '']) =>
    [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']): [string, string] => [path, name]),
  );
}

const hasTest = (path: string, name: string): boolean => {
  const file = new URL(path, home);
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8').replaceAll(/\(\s+/g, '(');
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((literal) => source.includes(`(${literal},`));
};

describe('SECURITY.md', () => {
  it('covers every risk of the API Security Top 10', () => {
    const risks = new Set(lines.map(([what = '']) => /^API\d+/.exec(what)?.[0]));
    for (let number = 1; number <= 10; number++) expect(risks).toContain(`API${number}`);
  });

  it.each(lines)('%s', (_what, _vectors, tests = '') => {
    if (tests.startsWith('Not applicable: ')) return;
    const references = namedTests(tests);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter(([path, name]) => !hasTest(path, name))).toEqual([]);
  });

  it('names every test file of this folder', () => {
    const files = readdirSync(new URL('test/security/', home)).filter((name) => name.endsWith('.test.ts'));
    expect(files.filter((name) => !text.includes(`test/security/${name}`))).toEqual(['checklist.test.ts']);
  });
});
