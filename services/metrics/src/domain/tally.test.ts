import { describe, expect, it } from '@jest/globals';
import type { MetricsEvent } from '@joblisting/contracts';
import * as fc from 'fast-check';
import { increments, newEvents, receipts } from './tally.ts';

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

  it('does not say of an unknown job that its id was seen', () => {
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
    id: fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'constructor', '__proto__'),
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
