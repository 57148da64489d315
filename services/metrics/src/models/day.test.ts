import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { dayId, dayIds, readDayId } from './day.ts';

const key = fc.record({
  jobId: fc.constantFrom(1, 2, 10, 11, 111, 2_147_483_647),
  day: fc.constantFrom('2025-12-31', '2026-01-01', '2026-01-02', '2026-01-10'),
  source: fc.constantFrom(null, 'a', 'a.b', 'a-b', 'a_b', '0', 'ab', 'other', 'z'.repeat(40)),
});
const isIn = (id: string, { $gte, $lt }: ReturnType<typeof dayIds>) => id >= $gte && id < $lt;

describe('dayId', () => {
  it('can be read back', () => {
    fc.assert(fc.property(key, (one) => expect(readDayId(dayId(one))).toEqual(one)));
  });

  it('orders the rows of a job by day, then source, with none first', () => {
    fc.assert(
      fc.property(fc.array(key), (keys) => {
        const ids = keys.map((one) => dayId({ ...one, jobId: 1 })).toSorted();
        const rows = ids.map(readDayId);
        for (const [index, { day, source }] of rows.slice(1).entries()) {
          const before = rows[index];
          const isLater = day > (before?.day ?? '');
          expect(isLater || (day === before?.day && (source ?? '') >= (before.source ?? ''))).toBe(true);
        }
      }),
    );
  });
});

describe('dayIds', () => {
  it('has the rows of the job alone, of all days or of these', () => {
    fc.assert(
      fc.property(key, key, key, (one, { jobId, day: first }, { day: second }) => {
        const [from, to] = first <= second ? [first, second] : [second, first];
        const isOwn = one.jobId === jobId;
        expect(isIn(dayId(one), dayIds(jobId))).toBe(isOwn);
        expect(isIn(dayId(one), dayIds(jobId, from, to))).toBe(isOwn && one.day >= from && one.day <= to);
      }),
    );
  });
});
