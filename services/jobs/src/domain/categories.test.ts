import { describe, expect, it } from '@jest/globals';
import { createdWarnings, foldById, plainReferences, resolveHeld } from './categories.ts';

const one = { id: 1, name: 'One', version: 1 };
const two = { id: 2, name: 'Two', version: 3 };

describe('plainReferences', () => {
  it('prefers the id', () => {
    expect(plainReferences([{ id: 1, name: 'ignored' }, { name: 'Two' }])).toEqual([
      { id: 1 },
      { name: 'Two' },
    ]);
  });
});

describe('resolveHeld', () => {
  it.each([
    ['nothing', [], []],
    ['the same', [{ id: 1 }, { id: 2 }], [one, two]],
    ['another order', [{ id: 2 }, { id: 1 }], [two, one]],
    ['fewer', [{ id: 2 }], [two]],
    ['one twice', [{ id: 2 }, { id: 1 }, { id: 2 }], [two, one]],
  ])('resolves %s', (_what, sent, expected) => {
    expect(resolveHeld([one, two], sent)).toEqual(expected);
  });

  it.each([
    ['a new id', [{ id: 1 }, { id: 3 }]],
    ['a name', [{ name: 'One' }]],
  ])('leaves %s to the owner of categories', (_what, sent) => {
    expect(resolveHeld([one, two], sent)).toBeUndefined();
  });
});

describe('foldById', () => {
  it('keeps the first of each and nothing but its own properties', () => {
    const made = { ...two, created: true };
    expect(foldById([made, one, two])).toEqual([two, one]);
  });
});

describe('createdWarnings', () => {
  it('points at the name that created a category', () => {
    const assigned = [
      { ...one, created: false },
      { ...two, created: true },
    ];
    expect(createdWarnings(assigned)).toMatchObject([
      { code: 'category_created', pointer: '#/categories/1/name' },
    ]);
  });
});
