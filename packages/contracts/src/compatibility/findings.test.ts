import { describe, expect, it } from '@jest/globals';
import { breaking, note, report } from './findings.ts';

describe('report', () => {
  it('lists breaking changes first, each with its pointer and reason', () => {
    const isNew = note('/a', 'a is new', 'no one uses it');
    const isGone = breaking('/b', 'b is removed', 'readers look for it');
    expect(report([isNew, isGone])).toBe(
      'BREAKS /b\n       b is removed: readers look for it.\nnote   /a\n       a is new: no one uses it.\n',
    );
    expect(report([])).toBe('');
  });

  it('groups equal findings and counts the pointers that it leaves out', () => {
    const findings = ['/1', '/2', '/3', '/4', '/5'].map((at) => breaking(at, 'b is removed', 'it is read'));
    const lines = ['BREAKS /1', '/2', '/3', 'and 2 more places', 'b is removed: it is read.'];
    expect(report(findings)).toBe(`${lines.join('\n       ')}\n`);
  });
});
