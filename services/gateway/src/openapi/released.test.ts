import { describe, expect, it } from '@jest/globals';
import { compareApis, type JsonObject, plainJson, report } from '@joblisting/contracts/compatibility';
import { lastRelease, lastReleased } from '@joblisting/contracts/released';
import { apiOfToday } from '../../tools/api-of-today.ts';

const { version } = lastRelease();

describe(`the HTTP API of today beside that of ${version}`, () => {
  const released = lastReleased('openapi') as JsonObject;
  const findings = compareApis(released, plainJson(apiOfToday()) as JsonObject);

  it('breaks no client (packages/contracts/README.md, "When the check fails")', () => {
    const notes = report(findings.filter(({ breaking }) => !breaking));
    if (notes !== '') process.stdout.write(`Since ${version}:\n${notes}`);
    expect(report(findings.filter(({ breaking }) => breaking))).toBe('');
  });

  it('would notice: a document without paths breaks every client', () => {
    const removals = compareApis(released, { ...released, paths: {} }).filter(({ breaking }) => breaking);
    expect(removals.length).toBeGreaterThan(10);
  });
});
