import { expect, it } from '@jest/globals';
import { breaking, note } from './change.ts';
import { report } from './report.ts';

it('says what breaks first, each with its place and why', () => {
  const findings = [
    note('/a', 'a is new', 'nobody uses it'),
    breaking('/b', 'b is gone', 'readers look for it'),
  ];
  expect(report(findings)).toBe(
    'BREAKS /b\n       b is gone: readers look for it.\nnote   /a\n       a is new: nobody uses it.\n',
  );
  expect(report([])).toBe('');
});
