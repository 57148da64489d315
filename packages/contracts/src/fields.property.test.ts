import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { foldName, nameKey } from './fields.ts';

fc.configureGlobal({ seed: 20_261_120, numRuns: 200 });

const RUNS = { numRuns: 2000 };
const name = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      'Z',
      '\u00e9',
      'e\u0301',
      '\u00df',
      '\u1e9e',
      '\u0130',
      '\u0131',
      '\u03c3',
      '\u03c2',
      ' ',
      '\u00a0',
      '\t',
      '\ufeff',
      '\u0345',
      '\u1fb3',
    ),
  }),
);

describe('foldName', () => {
  it('leaves what it has folded', () => {
    fc.assert(
      fc.property(name, (each) => {
        const folded = foldName(each);
        expect(foldName(folded)).toBe(folded);
        expect(folded).toBe(folded.normalize('NFC'));
        expect(folded).not.toMatch(/^\s|\s$|[^\S ]| {2}/u);
      }),
      RUNS,
    );
  });
});

describe('nameKey', () => {
  it('is its own key, and that of the folded name', () => {
    fc.assert(
      fc.property(name, (each) => {
        expect(nameKey(nameKey(each))).toBe(nameKey(each));
        expect(nameKey(foldName(each))).toBe(nameKey(each));
      }),
      RUNS,
    );
  });

  it('is the same for one name in any composition and case, with any white space', () => {
    fc.assert(
      fc.property(name, (each) => {
        const key = nameKey(each);
        expect(nameKey(each.normalize('NFC'))).toBe(key);
        expect(nameKey(each.normalize('NFD'))).toBe(key);
        expect(nameKey(each.toUpperCase())).toBe(key);
        expect(nameKey(`\t${each.replaceAll(' ', ' \u00a0')} `)).toBe(key);
      }),
      RUNS,
    );
  });
});
