import { describe, expect, it } from '@jest/globals';
import { breaking, note } from './change.ts';
import { report } from './report.ts';

describe('report', () => {
  it('says what breaks first, each with its place and why', () => {
    const isNew = note('/a', 'a is new', 'nobody uses it');
    const isGone = breaking('/b', 'b is gone', 'readers look for it');
    expect(report([isNew, isGone])).toBe(
      'BREAKS /b\n       b is gone: readers look for it.\nnote   /a\n       a is new: nobody uses it.\n',
    );
    expect(report([])).toBe('');
  });

  it('says the same thing of many places once', () => {
    const findings = ['/1', '/2', '/3', '/4', '/5'].map((at) => breaking(at, 'b is gone', 'it is read'));
    const lines = ['BREAKS /1', '/2', '/3', 'and 2 more places', 'b is gone: it is read.'];
    expect(report(findings)).toBe(`${lines.join('\n       ')}\n`);
  });
});
