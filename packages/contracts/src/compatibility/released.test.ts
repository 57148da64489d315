import { describe, expect, it } from '@jest/globals';
import { compareContracts, report, type Snapshot } from './index.ts';
import { lastRelease, lastReleased } from '../../tools/released.ts';
import { contractsOfToday } from '../../tools/today.ts';

const { version, retired } = lastRelease();
const released = lastReleased('contracts') as Snapshot;

describe(`the contracts of today beside those of ${version}`, () => {
  const findings = compareContracts(released, contractsOfToday(version), retired);

  it('break nothing that a service of the last release depends on (README, "When the check fails")', () => {
    expect(report(findings.filter(({ breaking }) => breaking))).toBe('');
  });

  it('retire nothing that was never released', () => {
    const known = { ...released.operations, ...released.events };
    expect(retired.filter(({ subject }) => !Object.hasOwn(known, subject))).toEqual([]);
  });

  it('say what is new', () => {
    const notes = report(findings);
    if (notes !== '') process.stdout.write(`Since ${version}:\n${notes}`);
    expect(released.version).toBe(version);
  });
});
