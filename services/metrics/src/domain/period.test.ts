import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { periodOf } from './period.ts';

const now = Date.parse('2026-03-10T15:15:00Z');

describe('periodOf', () => {
  it.each([
    ['the last 30 days', {}, '2026-02-09', '2026-03-10'],
    ['30 days that end with `to`', { to: '2025-12-31' }, '2025-12-02', '2025-12-31'],
    ['the days from `from` to today', { from: '2026-03-08' }, '2026-03-08', '2026-03-10'],
    ['one day', { from: '2026-03-08', to: '2026-03-08' }, '2026-03-08', '2026-03-08'],
    ['days to come', { from: '2026-03-08', to: '2026-04-08' }, '2026-03-08', '2026-04-08'],
    ['366 days', { from: '2024-01-01', to: '2024-12-31' }, '2024-01-01', '2024-12-31'],
    ['the first days there are', { to: '1970-01-03' }, '1970-01-01', '1970-01-03'],
  ])('is %s', (_what, params, from, to) => {
    expect(periodOf(params, now)).toEqual({ from, to });
  });

  it('ends with the UTC day of the present instant', () => {
    const midnight = Date.parse('2026-03-11T00:00:00Z');
    expect([midnight - 1, midnight].map((at) => periodOf({}, at).to)).toEqual(['2026-03-10', '2026-03-11']);
  });

  it.each([
    ['reversed', { from: '2026-03-09', to: '2026-03-08' }, 'mismatch'],
    ['after today, without `to`', { from: '2026-03-11' }, 'mismatch'],
    ['367 days', { from: '2025-01-01', to: '2026-01-02' }, 'out_of_range'],
    ['too long ago, without `to`', { from: '2025-03-09' }, 'out_of_range'],
  ])('is refused where the days are %s', (_what, params, code) => {
    const attempt = () => periodOf(params, now);
    expect(attempt).toThrow(ServiceError);
    expect(attempt).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ parameter: 'from', code })] }),
    );
  });
});
