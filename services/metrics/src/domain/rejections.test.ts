import { describe, expect, it } from '@jest/globals';
import { MetricsBatch, type MetricsEvent, type RejectedEvent, ServiceError } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import * as fc from 'fast-check';
import { receiptOfAll, separateEvents, UnreadableLine, violationsOfList } from './rejections.ts';

const { check, unknownFields } = compileBody(MetricsBatch);
const view = (id: string): MetricsEvent => ({ id, jobId: 1, type: 'view' });
const unreadable = new UnreadableLine(new ServiceError('malformed_json', 'Line 2 is not valid JSON.'));

const separate = (...events: unknown[]) => separateEvents(events as MetricsEvent[], check({ events }));
const rejectionOf = (event: unknown): RejectedEvent | undefined =>
  separate(view('a'), event, view('b')).rejected[0];

describe('violationsOfList', () => {
  it.each([
    ['no object', 5, '#'],
    ['no list', {}, '#/events'],
    ['something else in its place', { events: { 0: view('a') } }, '#/events'],
    ['an empty list', { events: [] }, '#/events'],
    ['null', { events: null }, '#/events'],
    ['too many events', { events: Array.from({ length: 1001 }, () => view('a')) }, '#/events/1000'],
  ])('finds what is wrong with %s', (_what, body, pointer) => {
    expect(violationsOfList(check(body))).toEqual([expect.objectContaining({ pointer })]);
  });

  it('leaves out what is wrong with single events', () => {
    expect(violationsOfList(check({ events: [5, {}, view(''), view('a')] }))).toEqual([]);
  });

  it('leaves out what is wrong with the last event of a full list', () => {
    const events: unknown[] = Array.from({ length: 1000 }, () => view('a'));
    events[999] = 5;
    expect(violationsOfList(check({ events }))).toEqual([]);
    expect(separate(...events).rejected).toMatchObject([{ index: 999 }]);
  });
});

describe('separateEvents', () => {
  it.each([
    ['no object', 5, '#/events/1', 'events[1] must be an object.'],
    ['null', null, '#/events/1', 'events[1] must not be null.'],
    ['a list', [], '#/events/1', 'events[1] must be an object.'],
    ['without an id', { jobId: 1, type: 'view' }, '#/events/1/id', 'events[1].id is required.'],
    ['with an empty id', view(''), '#/events/1/id', 'events[1].id must not be empty.'],
    [
      'with an unknown type',
      { ...view('a'), type: 'look' },
      '#/events/1/type',
      'events[1].type must be one of view, application, clickThrough.',
    ],
    [
      'at no instant',
      { ...view('a'), at: 'yesterday' },
      '#/events/1/at',
      'events[1].at must be a date-time.',
    ],
  ])('rejects an event that is %s', (_what, event, pointer, detail) => {
    expect(rejectionOf(event)).toEqual({ index: 1, code: 'invalid_event', pointer, detail });
  });

  it('says everything that is wrong with an event, and points to the first fault', () => {
    expect(rejectionOf({ jobId: '1', type: 'look', at: 5 })).toEqual({
      index: 1,
      code: 'invalid_event',
      pointer: '#/events/1/jobId',
      detail:
        'events[1].jobId must be an integer. events[1].at must be a string. events[1].id is required. events[1].type must be one of view, application, clickThrough.',
    });
  });

  it('rejects a line that could not be read, in its own words', () => {
    expect(rejectionOf(unreadable)).toMatchObject({ index: 1, detail: 'Line 2 is not valid JSON.' });
  });

  it('warns about nothing in a line that could not be read', () => {
    expect(unknownFields({ events: [unreadable] })).toEqual([]);
  });

  it('finds a place for every event, and says nothing of what was sent', () => {
    const secret = 'qx7';
    const anything = fc.anything({ key: fc.constantFrom('id', 'jobId', 'type', 'at', secret) });
    const event = fc.oneof(fc.constantFrom(view('a'), view(secret), unreadable), anything);
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 8 }), (events) => {
        const { valid, indexes, rejected } = separate(...events);
        expect([...indexes, ...rejected.map(({ index }) => index)].toSorted((a, b) => a - b)).toEqual([
          ...events.keys(),
        ]);
        expect(valid).toEqual(indexes.map((index) => events[index]));
        for (const one of valid) expect(check({ events: [one] })).toEqual([]);
        expect(JSON.stringify(rejected)).not.toContain(secret);
      }),
    );
  });
});

describe('receiptOfAll', () => {
  it('has the rejections in order, each with its place in the batch', () => {
    const separated = separate(5, view('a'), 5, view('b'), view('c'), 5);
    const unknown = (index: number) => ({ index, code: 'unknown_job' as const, detail: `${index}` });
    const receipt = { accepted: 1, duplicates: 0, rejected: [unknown(0), unknown(2)] };
    const whole = receiptOfAll(receipt, separated);
    expect([whole.accepted, whole.duplicates]).toEqual([1, 0]);
    expect(whole.rejected.map(({ index, code }) => [index, code])).toEqual([
      [0, 'invalid_event'],
      [1, 'unknown_job'],
      [2, 'invalid_event'],
      [4, 'unknown_job'],
      [5, 'invalid_event'],
    ]);
  });
});
