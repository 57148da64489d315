import { describe, expect, it } from '@jest/globals';
import { foldName, nameKey } from './fields.ts';

describe('foldName', () => {
  it.each([
    ['  Game   Design ', 'Game Design'],
    ['Game\t\n\u00a0\u2003Design', 'Game Design'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['\ufeffSales', 'Sales'],
    ['iOS', 'iOS'],
  ])('%j becomes %j', (sent, stored) => {
    expect(foldName(sent)).toBe(stored);
  });
});

describe('nameKey', () => {
  it.each([
    ['Game Design', 'GAME  design'],
    ['Caf\u00e9', 'CAFE\u0301'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['ΟΔΟΣ', 'οδος'],
    ['\u{10400}', '\u{10428}'],
  ])('%j is the same as %j', (one, other) => {
    expect(nameKey(one)).toBe(nameKey(other));
  });

  it.each([
    ['Sales', 'Sale s'],
    ['Cafe', 'Caf\u00e9'],
    ['1', '\u2460'],
  ])('%j is not %j', (one, other) => {
    expect(nameKey(one)).not.toBe(nameKey(other));
  });
});
