import { status } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  applyDueTransitions,
  displayDate,
  dueTransitions,
  nextTransitionAt,
  statusAt,
  type Timeline,
} from './status.ts';

const at = (iso: string): number => Date.parse(iso);
const timeline = (more: Partial<Timeline> = {}): Timeline => ({
  publishDate: '2026-03-10',
  closeDate: '2026-03-20',
  statusId: status.pending,
  version: 4,
  ...more,
});

describe('statusAt', () => {
  it.each([
    ['2026-03-09T11:59:59.999Z', '2026-03-10', null, status.pending],
    ['2026-03-09T12:00:00.000Z', '2026-03-10', null, status.published],
    ['2026-03-20T11:59:59.999Z', '2026-03-10', '2026-03-20', status.published],
    ['2026-03-20T12:00:00.000Z', '2026-03-10', '2026-03-20', status.closed],
    ['2026-03-20T12:00:00.000Z', '2026-04-10', '2026-03-20', status.closed],
    ['2026-03-10T11:59:59.999Z', '2026-03-10', '2026-03-10', status.published],
    ['2026-03-10T12:00:00.000Z', '2026-03-10', '2026-03-10', status.closed],
  ])('at %s, published %s, closed %s: %d', (now, publishDate, closeDate, expected) => {
    expect(statusAt({ publishDate, closeDate }, at(now))).toBe(expected);
  });
});

describe('applyDueTransitions', () => {
  it('changes nothing before the instant', () => {
    const stored = timeline();
    const before = at('2026-03-09T11:59:59.999Z');
    expect(applyDueTransitions(stored, before)).toBe(stored);
    expect(dueTransitions(stored, before)).toEqual([]);
  });

  it('publishes at the instant, one version up', () => {
    const noon = at('2026-03-09T12:00:00Z');
    expect(applyDueTransitions(timeline(), noon)).toMatchObject({ statusId: status.published, version: 5 });
    expect(dueTransitions(timeline(), noon)).toEqual([{ version: 5, statusId: status.published, at: noon }]);
  });

  it('passes both transitions one by one after a long pause', () => {
    const later = at('2027-01-01T00:00:00Z');
    expect(applyDueTransitions(timeline(), later)).toMatchObject({ statusId: status.closed, version: 6 });
    expect(dueTransitions(timeline(), later)).toEqual([
      { version: 5, statusId: status.published, at: at('2026-03-09T12:00:00Z') },
      { version: 6, statusId: status.closed, at: at('2026-03-20T12:00:00Z') },
    ]);
  });

  it.each(['2026-03-05', '2026-03-09'])(
    'closes a pending job directly when it closes first, on %s',
    (closeDate) => {
      const job = applyDueTransitions(timeline({ closeDate }), at('2027-01-01T00:00:00Z'));
      expect(job).toMatchObject({ statusId: status.closed, version: 5 });
    },
  );

  it('is the same in one step and in two', () => {
    const halfway = applyDueTransitions(timeline(), at('2026-03-15T00:00:00Z'));
    const late = at('2026-04-01T00:00:00Z');
    expect(applyDueTransitions(halfway, late)).toEqual(applyDueTransitions(timeline(), late));
  });

  it.each([
    ['a draft', timeline({ statusId: status.draft })],
    ['a closed job', timeline({ statusId: status.closed })],
    ['a published job that never closes', timeline({ statusId: status.published, closeDate: null })],
  ])('never moves %s', (_what, stored) => {
    expect(applyDueTransitions(stored, at('2030-01-01T00:00:00Z'))).toBe(stored);
    expect(nextTransitionAt(stored)).toBeNull();
  });

  it('undoes nothing when the clock goes back', () => {
    const published = timeline({ statusId: status.published });
    expect(applyDueTransitions(published, at('2026-01-01T00:00:00Z'))).toBe(published);
  });
});

describe('nextTransitionAt', () => {
  it.each([
    ['pending', timeline(), '2026-03-09T12:00:00Z'],
    ['pending without a closeDate', timeline({ closeDate: null }), '2026-03-09T12:00:00Z'],
    ['pending, closing first', timeline({ closeDate: '2026-03-01' }), '2026-03-01T12:00:00Z'],
    ['published', timeline({ statusId: status.published }), '2026-03-20T12:00:00Z'],
  ])('%s', (_what, job, instant) => {
    expect(nextTransitionAt(job)).toBe(at(instant));
  });
});

describe('displayDate', () => {
  it.each([
    [status.pending, '2026-03-20', '2026-03-10'],
    [status.published, '2026-03-20', '2026-03-10'],
    [status.draft, '2026-03-20', '2026-03-10'],
    [status.closed, '2026-03-20', '2026-03-20'],
    [status.closed, null, '2026-03-10'],
  ])('of status %d closing %s', (statusId, closeDate, expected) => {
    expect(displayDate(timeline({ statusId, closeDate }))).toBe(expected);
  });
});
