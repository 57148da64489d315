import { describe, expect, it } from '@jest/globals';
import { compareApis } from './apis.ts';
import { compareContracts } from './contracts.ts';
import type { Finding } from './findings.ts';
import type { JsonObject } from './json.ts';
import { type Exports, type Snapshot, snapshotOf } from './snapshot.ts';
import { operationsOf } from '../define.ts';
import { Int32, NoParams } from '../fields.ts';

const SUNSET = '2027-11-01';
const operation = (sunset?: string) =>
  operationsOf('things')('get', {
    summary: 'Read a thing',
    params: NoParams,
    body: undefined,
    reply: Int32(),
    ...(sunset !== undefined && {
      deprecated: { since: '2026-11-01', sunset, link: 'https://docs.example.com/things' },
    }),
  });

const contracts = (getThing?: ReturnType<typeof operation>): Snapshot => {
  const exports: Exports = {
    ...(getThing && { getThing }),
    errorCodes: {},
    violationCodes: [],
    warningCodes: [],
    Principal: {},
    Paging: {},
  };
  return snapshotOf('1.0.0', exports, []);
};
const api = (get?: JsonObject): JsonObject => ({ paths: { '/things': get ? { get } : {} } });
const described = (sunset?: string): JsonObject =>
  sunset === undefined ? {} : { deprecated: true, 'x-sunset': sunset };

const pieces = [
  [
    'an operation of the contracts',
    (before: string | undefined, after: string | null | undefined, today: string) =>
      compareContracts(
        contracts(operation(before)),
        contracts(after === null ? undefined : operation(after)),
        [],
        today,
      ),
  ],
  [
    'an operation of the HTTP API',
    (before: string | undefined, after: string | null | undefined, today: string) =>
      compareApis(api(described(before)), api(after === null ? undefined : described(after)), today),
  ],
] as const;
const isBreaking = (findings: readonly Finding[]) => findings.map(({ breaking }) => breaking);

describe.each(pieces)('%s', (_what, compare) => {
  it('breaks when it is removed and was never deprecated', () => {
    expect(isBreaking(compare(undefined, null, '2030-01-01'))).toEqual([true]);
  });

  it('breaks when it is removed before its sunset', () => {
    const [finding, ...others] = compare(SUNSET, null, '2027-10-31');
    expect(finding).toMatchObject({ breaking: true, why: 'its sunset is only 2027-11-01' });
    expect(others).toEqual([]);
  });

  it.each([SUNSET, '2028-01-01'])('is noted when it is removed after its sunset, on %s', (today) => {
    expect(compare(SUNSET, null, today)).toMatchObject([
      { breaking: false, why: 'its sunset was 2027-11-01' },
    ]);
  });

  it('may be deprecated, and its sunset postponed', () => {
    expect(compare(undefined, SUNSET, '2026-11-01')).toEqual([]);
    expect(compare(SUNSET, '2028-01-01', '2026-11-01')).toEqual([]);
  });

  it('breaks when its sunset moves to an earlier date', () => {
    expect(isBreaking(compare(SUNSET, '2027-01-01', '2026-11-01'))).toEqual([true]);
  });
});
