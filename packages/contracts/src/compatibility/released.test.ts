import { describe, expect, it } from '@jest/globals';
import { compareContracts, report, type Snapshot } from './index.ts';
import { currentContracts, lastRelease, lastReleased } from '../../tools/released.ts';

const { version, retired } = lastRelease();
const released = lastReleased('contracts') as Snapshot;

describe(`the current contracts, compared with ${version}`, () => {
  const findings = compareContracts(released, currentContracts(version), retired);

  it('break nothing for services of the last release (README, "When the check fails")', () => {
    expect(report(findings.filter(({ breaking }) => breaking))).toBe('');
  });

  it('retire released subjects only', () => {
    const known = { ...released.operations, ...released.events };
    expect(retired.filter(({ subject }) => !Object.hasOwn(known, subject))).toEqual([]);
  });

  it('are printed with what is new', () => {
    const notes = report(findings);
    if (notes !== '') process.stdout.write(`Since ${version}:\n${notes}`);
    expect(released.version).toBe(version);
  });
});
