import { describe, expect, it } from '@jest/globals';
import * as contracts from '../index.ts';
import { streams } from '../permissions/index.ts';
import { plainJson } from './json.ts';
import { snapshotOf } from './snapshot.ts';

describe('snapshotOf', () => {
  const consumers = [{ event: contracts.transitionDue, durable: 'jobs' }];
  const snapshot = snapshotOf('1.2.3', contracts, consumers);

  it('contains every exported operation, event and stream', () => {
    expect(snapshot.operations['jobs.v1.update']).toMatchObject({ name: 'updateJob', queue: 'jobs' });
    expect(snapshot.events['jobs.v1.event.closed']).toMatchObject({ name: 'jobClosed', stream: 'JOBS' });
    expect(Object.keys(snapshot.streams)).toEqual(streams.map(({ name }) => name).toSorted());
    expect(snapshot.consumers).toEqual({ 'SCHEDULER jobs': 'scheduler.v1.event.transition-due' });
    const subjects = Object.values<unknown>(contracts).flatMap((value) =>
      typeof value === 'object' && value !== null && 'subject' in value ? [value.subject] : [],
    );
    const subjectsInSnapshot = [...Object.keys(snapshot.operations), ...Object.keys(snapshot.events)];
    expect(new Set(subjectsInSnapshot)).toEqual(new Set(subjects));
    expect(subjectsInSnapshot).toHaveLength(subjects.length);
  });

  it('does not depend on the order of the exports', () => {
    const reversed = Object.fromEntries(Object.entries(contracts).toReversed()) as typeof contracts;
    expect(JSON.stringify(snapshotOf('1.2.3', reversed, consumers))).toBe(JSON.stringify(snapshot));
  });

  it('is plain JSON', () => {
    expect(plainJson(snapshot)).toEqual(snapshot);
  });
});
