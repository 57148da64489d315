import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { removingExpired } from '../src/tasks/remove-expired.ts';
import { logStore } from '../src/store/log-store.ts';
import { runEvents, type RunningEvents } from './running-events.ts';

const DAY_MS = 24 * 3600_000;

let events: RunningEvents;
beforeEach(async () => {
  events = await runEvents();
});
afterEach(() => events.stop());

const remove = (days = 8) => {
  const { signal } = new AbortController();
  return removingExpired({ logs: logStore(events.mongo), clock: events.clock, days, stopping: signal })();
};
const after = async (count: number) => (await events.list({ limit: count })).cursor?.next as string;
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );

it('events that are older than the retention are removed, and cursors before them expire, exactly', async () => {
  for (const version of [1, 2, 3]) await events.tell('updated', { jobId: 1, version });
  await events.logged(3);
  const [second, third] = [await after(2), await after(3)];
  const start = (await events.changes()).cursor?.next as string;
  events.clock.advance(5 * DAY_MS);
  await events.tell('updated', { jobId: 1, version: 4 });
  await events.logged(4);
  events.clock.advance(4 * DAY_MS);
  await remove();
  expect(await codeOf(events.list({ after: second }))).toBe('cursor_expired');
  expect(await codeOf(events.changes({ after: second }))).toBe('cursor_expired');
  expect((await events.list({ after: third })).data).toMatchObject([{ seq: 4 }]);
  expect((await events.list()).data).toMatchObject([{ seq: 4 }]);
  expect(await codeOf(events.changes({ after: start }))).toBe('ok');
  expect(await events.mongo.collection('events').countDocuments()).toBe(1);
});

it('an empty log keeps its last number, and a cursor at its end stays valid', async () => {
  await events.tell('created', { jobId: 1 });
  await events.tell('created', { jobId: 2, companyId: 2 });
  await events.logged(1);
  await events.logged(1, 2);
  const last = await after(1);
  events.clock.advance(9 * DAY_MS);
  await remove();
  expect(await events.mongo.collection('events').countDocuments()).toBe(0);
  expect((await events.list({ after: last })).cursor).toEqual((await events.list()).cursor);
  await events.tell('updated', { jobId: 1, version: 2 });
  await waitFor(async () => (await events.list()).data.length === 1, { what: 'the next event' });
  expect((await events.list({ after: last })).data).toMatchObject([{ seq: 2 }]);
});

it('a removal that was cut off hides what it had noted, and the next one ends it', async () => {
  for (const version of [1, 2]) await events.tell('updated', { jobId: 1, version });
  await events.logged(2);
  await events.mongo.collection<{ _id: number }>('logs').updateOne({ _id: 1 }, { $set: { removed: 1 } });
  expect((await events.list()).data).toMatchObject([{ seq: 2 }]);
  events.clock.advance(9 * DAY_MS);
  await remove();
  expect(await events.mongo.collection('events').countDocuments()).toBe(0);
});
