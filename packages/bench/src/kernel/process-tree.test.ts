import { describe, expect, it } from '@jest/globals';
import { descendantsOf } from './process-tree.ts';

const processes = new Map([
  [1, { name: 'init', parent: 0 }],
  [2, { name: 'npm run bench', parent: 1 }],
  [3, { name: 'node', parent: 2 }],
  [4, { name: 'node', parent: 3 }],
  [5, { name: 'mongod', parent: 4 }],
]);

describe('descendantsOf', () => {
  it.each([
    [3, [4, 5]],
    [5, []],
  ])('%d has %j', (pid, descendants) => {
    expect(descendantsOf(processes, pid)).toEqual(descendants);
  });
});
