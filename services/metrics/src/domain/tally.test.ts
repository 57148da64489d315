import { describe, expect, it } from '@jest/globals';
import type { MetricsEvent } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { applicationBatch, increments, newEvents, receipts } from './tally.ts';

const event = (id: string, jobId = 1, type: MetricsEvent['type'] = 'view'): MetricsEvent => ({
  id,
  jobId,
  type,
});
const jobs = new Set([1, 2]);
const batchesOf = (...batches: MetricsEvent[][]) => batches.map((events) => ({ sender: 's', events }));

describe('receipts', () => {
  it('accepts an id in the first batch that holds it', () => {
    const batches = batchesOf([event('a'), event('b')], [event('b'), event('c')], [event('a')]);
    expect(receipts(batches, jobs, new Set(['s:c']))).toEqual([
      { accepted: 2, duplicates: 0, rejected: [] },
      { accepted: 0, duplicates: 2, rejected: [] },
      { accepted: 0, duplicates: 1, rejected: [] },
    ]);
  });

  it('does not use an id up on a job that does not exist', () => {
    const batches = batchesOf([event('a', 9), event('a', 1)]);
    expect(receipts(batches, jobs, new Set())).toEqual([
      { accepted: 1, duplicates: 0, rejected: [expect.objectContaining({ index: 0, code: 'unknown_job' })] },
    ]);
  });

  it('does not tell whether the event id of an unknown job was seen', () => {
    expect(receipts(batchesOf([event('a', 9)]), jobs, new Set(['s:a']))).toMatchObject([
      { duplicates: 0, rejected: [{ index: 0 }] },
    ]);
  });
});

describe('an event id', () => {
  it('belongs to its sender: the same id of another sender is another event', () => {
    const batches = ['one', 'other'].map((sender) => ({ sender, events: [event('a')] }));
    expect(newEvents(batches, jobs).size).toBe(2);
    expect(receipts(batches, jobs, new Set(['one:a']))).toMatchObject([
      { accepted: 0, duplicates: 1 },
      { accepted: 1, duplicates: 0 },
    ]);
  });
});

describe('a received application', () => {
  const received = (applicationId: number, jobId = 1) =>
    applicationBatch({ applicationId, jobId, companyId: 1, at: '2026-03-01T12:00:00Z' });
  const reported = (sender: string, id: string, jobId = 1) => ({
    sender,
    events: [event(id, jobId, 'application')],
  });
  const own = received(7);
  const ownId = 'applications:application:7';
  const [accepted, duplicate, unknown] = ['accepted', 'duplicate', 'unknown'] as const;

  it.each([
    ['is one application of its job', [own], [], [accepted]],
    ['counts once where it comes twice', [own, received(7)], [], [accepted, duplicate]],
    ['counts once where it was counted before', [own], [ownId], [duplicate]],
    ['counts beside another one', [own, received(8)], [], [accepted, accepted]],
    ['does not count for a job that does not exist', [received(7, 9)], [], [unknown]],
    [
      'makes reports of it duplicates, before it and after it',
      [reported('bus', 'application:7'), own, reported('consumer 1', 'application:7')],
      [],
      [duplicate, accepted, duplicate],
    ],
    ['is not counted by a report alone', [reported('consumer 1', 'application:7')], [], [duplicate]],
    [
      'counts, even if another sender had its id counted in an earlier release',
      [own],
      ['bus:application:7'],
      [accepted],
    ],
    ['leaves a report for an unknown job rejected', [reported('bus', 'application:7', 9)], [], [unknown]],
  ])('%s', (_title, batches, before, expected) => {
    const counted = new Set(before);
    const outcomes = receipts(batches, jobs, counted).map((receipt) => {
      if (receipt.rejected.length > 0) return unknown;
      return receipt.accepted > 0 ? accepted : duplicate;
    });
    expect(outcomes).toEqual(expected);

    const fresh = [...newEvents(batches, jobs)].flatMap(([id, one]) => (counted.has(id) ? [] : [one]));
    expect(fresh.map(({ type }) => type)).toEqual(
      expected.filter((outcome) => outcome === accepted).map(() => 'application'),
    );
  });

  it.each(['application:0', 'application:7', 'application:2147483647'])('has the id %j reserved', (id) => {
    const batches = [reported('bus', id), reported('consumer 1', id)];
    expect(newEvents(batches, jobs).size).toBe(0);
    expect(receipts(batches, jobs, new Set())).toMatchObject([{ duplicates: 1 }, { duplicates: 1 }]);
  });

  it('leaves reserved ids to events of other types', () => {
    const events = [{ id: 'application:7', jobId: 1, type: 'view' as const }];
    expect(newEvents([{ sender: 'bus', events }], jobs).size).toBe(1);
  });

  it.each([
    'application',
    'application:',
    'application:x',
    'application:7 ',
    'Application:7',
    'my application:7',
  ])('leaves the id %j to its sender', (id) => {
    const batches = [reported('bus', id), reported('consumer 1', id)];
    expect(newEvents(batches, jobs).size).toBe(2);
    expect(receipts(batches, jobs, new Set())).toMatchObject([{ accepted: 1 }, { accepted: 1 }]);
  });
});

describe('increments', () => {
  it('adds up by job and type', () => {
    const events = [event('a'), event('b'), event('c', 1, 'application'), event('d', 2, 'clickThrough')];
    expect(increments(events)).toEqual([
      { jobId: 1, view: 2, application: 1, clickThrough: 0 },
      { jobId: 2, view: 0, application: 0, clickThrough: 1 },
    ]);
  });
});

describe('counting as a whole', () => {
  const anyEvent = fc.record({
    id: fc.constantFrom<string>('a', 'b', 'c', 'd', 'application:7', 'constructor', '__proto__'),
    jobId: fc.constantFrom(1, 2, 9),
    type: fc.constantFrom('view' as const, 'application' as const, 'clickThrough' as const),
  });

  it('accepts exactly what it counts, and accounts for every event', () => {
    const anyBatches = fc.array(fc.array(anyEvent, { maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(anyBatches, fc.uniqueArray(anyEvent.map(({ id }) => id)), (sent, before) => {
        const batches = batchesOf(...sent);
        const events = newEvents(batches, jobs);
        const counted = new Set(before.map((id) => `s:${id}`).filter((id) => events.has(id)));
        const fresh = [...events].flatMap(([id, event]) => (counted.has(id) ? [] : [event]));
        const added = increments(fresh).map((by) => by.view + by.application + by.clickThrough);
        const answers = receipts(batches, jobs, counted);
        const accepted = answers.map((answer) => answer.accepted);
        expect(sum(accepted)).toBe(sum(added));
        for (const [index, { accepted, duplicates, rejected }] of answers.entries()) {
          expect(accepted + duplicates + rejected.length).toBe(sent[index]?.length);
        }
      }),
    );
  });
});

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
