import { type JobChanges, status } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import { newFindings } from './findings.ts';
import { changeStatus, firstStatus } from './status-change.ts';

const { published, closed, pending, draft } = status;
const PAST = '2026-03-01';
const FUTURE = '2026-04-01';
const now = Date.parse('2026-03-10T15:00:00Z');
const job = (statusId: 1 | 2 | 3 | 5, publishDate: string, closeDate: string | null = null) => ({
  statusId,
  publishDate,
  closeDate,
});
type State = ReturnType<typeof job>;
const to = (id: 1 | 2 | 3): JobChanges => ({ status: { id } });
const refusalOf3 = (before: State, dates: JobChanges) => {
  const findings = newFindings();
  changeStatus(before, { ...to(3), ...dates }, now, findings);
  return findings.violations;
};

describe('firstStatus', () => {
  it.each([
    [undefined, PAST, null, published, []],
    [1 as const, PAST, null, published, []],
    [2 as const, PAST, null, published, ['status_derived']],
    [3 as const, FUTURE, null, pending, []],
    [1 as const, FUTURE, null, pending, ['status_derived']],
    [2 as const, PAST, PAST, closed, []],
    [undefined, FUTURE, PAST, closed, []],
  ])('status %s sent, published %s, closed %s: %d', (id, publishDate, closeDate, expected, warnings) => {
    const findings = newFindings();
    const body = id === undefined ? {} : to(id);
    expect(firstStatus({ publishDate, closeDate }, body, now, findings)).toBe(expected);
    expect(findings.warnings.map(({ code }) => code)).toEqual(warnings);
  });
});

describe('changeStatus', () => {
  it.each<[string, State, JobChanges, State, string[]]>([
    ['a body without dates and status', job(published, PAST), { title: 'x' }, job(published, PAST), []],
    [
      '2 on a published job',
      job(published, PAST),
      to(2),
      job(closed, PAST, '2026-03-10'),
      ['close_date_changed'],
    ],
    [
      '2 on one that closes later',
      job(published, PAST, FUTURE),
      to(2),
      job(closed, PAST, '2026-03-10'),
      ['close_date_changed'],
    ],
    [
      '2 on a pending job',
      job(pending, FUTURE),
      to(2),
      job(closed, FUTURE, '2026-03-10'),
      ['close_date_changed'],
    ],
    ['2 on a closed job', job(closed, PAST, '2026-03-05'), to(2), job(closed, PAST, '2026-03-05'), []],
    ['2 on a draft', job(draft, PAST), to(2), job(closed, PAST, '2026-03-10'), ['close_date_changed']],
    ['2 on a draft with a past closeDate', job(draft, PAST, PAST), to(2), job(closed, PAST, PAST), []],
    [
      '2 with a future closeDate',
      job(published, PAST),
      { ...to(2), closeDate: FUTURE },
      job(closed, PAST, '2026-03-10'),
      ['close_date_changed'],
    ],
    [
      '2 with a past closeDate',
      job(published, PAST),
      { ...to(2), closeDate: '2026-03-02' },
      job(closed, PAST, '2026-03-02'),
      [],
    ],
    ['1 on a published job', job(published, PAST, FUTURE), to(1), job(published, PAST, FUTURE), []],
    [
      '1 on a closed job',
      job(closed, PAST, '2026-03-05'),
      to(1),
      job(published, PAST),
      ['close_date_changed'],
    ],
    [
      '1 on a closed job published later',
      job(closed, FUTURE, '2026-03-05'),
      to(1),
      job(published, '2026-03-10'),
      ['close_date_changed', 'publish_date_changed'],
    ],
    [
      '1 on a pending job',
      job(pending, FUTURE),
      to(1),
      job(published, '2026-03-10'),
      ['publish_date_changed'],
    ],
    [
      '1 on a pending job that closes later',
      job(pending, FUTURE, '2026-05-01'),
      to(1),
      job(published, '2026-03-10', '2026-05-01'),
      ['publish_date_changed'],
    ],
    ['1 on a draft', job(draft, PAST), to(1), job(published, PAST), []],
    [
      '1 against a past closeDate',
      job(published, PAST),
      { ...to(1), closeDate: PAST },
      job(closed, PAST, PAST),
      ['status_derived'],
    ],
    [
      '1 with what a GET of a closed job shows',
      job(closed, PAST, '2026-03-05'),
      { ...to(1), publishDate: PAST, closeDate: '2026-03-05' },
      job(closed, PAST, '2026-03-05'),
      ['status_derived'],
    ],
    [
      '1 with a null closeDate',
      job(closed, PAST, '2026-03-05'),
      { ...to(1), closeDate: null },
      job(published, PAST),
      [],
    ],
    [
      '1 against a future publishDate',
      job(closed, PAST, '2026-03-05'),
      { ...to(1), publishDate: FUTURE, closeDate: null },
      job(pending, FUTURE),
      ['status_derived'],
    ],
    [
      '1 with dates on a draft',
      job(draft, PAST),
      { ...to(1), publishDate: FUTURE },
      job(pending, FUTURE),
      ['status_derived'],
    ],
    ['3 on a pending job', job(pending, FUTURE), to(3), job(pending, FUTURE), []],
    [
      '3 on a pending job with a past publishDate',
      job(pending, FUTURE),
      { ...to(3), publishDate: PAST },
      job(published, PAST),
      ['status_derived'],
    ],
    ['a future publishDate', job(published, PAST), { publishDate: FUTURE }, job(pending, FUTURE), []],
    ['a past closeDate', job(published, PAST), { closeDate: PAST }, job(closed, PAST, PAST), []],
    [
      'a closeDate before the publishDate',
      job(pending, FUTURE),
      { closeDate: PAST },
      job(closed, FUTURE, PAST),
      [],
    ],
    [
      'a null closeDate on a closed job',
      job(closed, PAST, PAST),
      { closeDate: null },
      job(published, PAST),
      [],
    ],
    [
      'a publishDate on a closed job',
      job(closed, PAST, '2026-03-05'),
      { publishDate: FUTURE },
      job(closed, FUTURE, '2026-03-05'),
      [],
    ],
    [
      'dates on a draft',
      job(draft, PAST),
      { publishDate: FUTURE, closeDate: PAST },
      job(draft, FUTURE, PAST),
      [],
    ],
    [
      'the same dates after the clock went back',
      job(published, FUTURE),
      { publishDate: FUTURE },
      job(published, FUTURE),
      [],
    ],
  ])('%s', (_what, before, body, expected, warnings) => {
    const findings = newFindings();
    expect(changeStatus(before, body, now, findings)).toEqual(expected);
    expect(findings.warnings.map(({ code }) => code)).toEqual(warnings);
    expect(findings.violations).toEqual([]);
  });

  it.each([
    ['published', job(published, PAST)],
    ['closed', job(closed, PAST, PAST)],
    ['a draft', job(draft, PAST)],
  ])('refuses 3 on a job that is %s, whatever dates come with it', (_what, before) => {
    for (const dates of [{}, { publishDate: FUTURE }, { publishDate: FUTURE, closeDate: null }])
      expect(refusalOf3(before, dates)).toMatchObject([{ pointer: '#/status/id', code: 'not_allowed' }]);
  });

  it.each([
    ['2026-03-10T11:59:59.999Z', '2026-03-09'],
    ['2026-03-10T12:00:00.000Z', '2026-03-10'],
    ['2026-03-11T00:00:00.000Z', '2026-03-10'],
  ])('closes at %s with the date %s', (instant, closeDate) => {
    expect(changeStatus(job(published, PAST), to(2), Date.parse(instant), newFindings())).toMatchObject({
      closeDate,
    });
  });
});

describe.each([
  ['00:01', '2026-03-09', pending, published],
  ['11:59', '2026-03-09', pending, published],
  ['12:01', '2026-03-10', published, closed],
  ['23:59', '2026-03-10', published, closed],
])('at %s UTC', (time, lastClosed, ofTomorrow, ofToday) => {
  const at = Date.parse(`2026-03-10T${time}:00Z`);
  const changed = (before: State, body: JobChanges) => changeStatus(before, body, at, newFindings());

  it('status 1 gives a pending job the UTC date of today', () => {
    expect(changed(job(pending, FUTURE), to(1))).toEqual(job(published, '2026-03-10'));
  });

  it(`status 2 closes a job on ${lastClosed}`, () => {
    expect(changed(job(published, PAST), to(2))).toEqual(job(closed, PAST, lastClosed));
  });

  it('a new job has the status of the instants that have come', () => {
    const first = (publishDate: string, closeDate: string | null) =>
      firstStatus({ publishDate, closeDate }, {}, at, newFindings());
    expect(first('2026-03-11', null)).toBe(ofTomorrow);
    expect(first(PAST, '2026-03-10')).toBe(ofToday);
  });

  it('a change of dates gives the status of the instants that have come', () => {
    expect(changed(job(published, PAST), { publishDate: '2026-03-11' }).statusId).toBe(ofTomorrow);
    expect(changed(job(published, PAST), { closeDate: '2026-03-10' }).statusId).toBe(ofToday);
  });
});
