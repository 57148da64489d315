import { globSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(root + path, 'utf8');
const versionIn = (path: string): string => JSON.parse(read(path)).version;

const version = versionIn('package.json');

it.each(globSync('{packages,services,infra}/*/package.json', { cwd: root }))(
  '%s has the version of the product (README, "A release")',
  (path) => {
    expect(versionIn(path)).toBe(version);
  },
);

it('CHANGELOG.md begins with the version of the product', () => {
  const [newest] = read('packages/contracts/CHANGELOG.md').match(/^## .+$/m) ?? [];
  expect(newest).toBe(`## ${version}`);
});
