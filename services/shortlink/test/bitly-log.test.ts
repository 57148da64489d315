import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLog, type Log } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import { linkModel } from '../src/models/link.ts';
import { AFTER_FAILURE_MS, refusal, type RunningWithBitly, runWithBitly } from './running-shortlink.ts';

interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: Record<string, unknown>;
  readonly message: string;
}

let shortlink: RunningWithBitly;
let lines: Line[];
let log: Log;
beforeEach(() => {
  lines = [];
  const keep = (level: Line['level']) => (details: unknown, message?: string) => {
    lines.push(
      typeof details === 'string'
        ? { level, details: {}, message: details }
        : { level, details: details as Record<string, unknown>, message: message ?? '' },
    );
  };
  log = Object.assign(Object.create(createLog('shortlink', 'silent')) as Log, {
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  });
});
afterEach(() => shortlink.stop());

const states = () =>
  lines.flatMap(({ details }) => (details['state'] === undefined ? [] : [details['state']]));

describe('the log', () => {
  it('reports the state of bitly once, and each change once', async () => {
    shortlink = await runWithBitly({}, { log, breakMs: 10 });
    const { bitly, clock } = shortlink;
    bitly.behave(refusal(403, 'FORBIDDEN'));
    await shortlink.createLinks(8);
    bitly.behave('fine');
    clock.advance(AFTER_FAILURE_MS);
    await waitFor(async () => (await shortlink.createLink(1)).final, { what: 'the first link' });
    bitly.behave(refusal(429, 'RATE_LIMIT_EXCEEDED', { 'retry-after': '60' }));
    for (const jobId of [2, 3, 4]) await shortlink.createLink(jobId);
    bitly.behave('fine');
    clock.advance(60_000);
    for (const jobId of [2, 3, 4]) await shortlink.createLink(jobId);
    expect(states()).toEqual(['failing: status 403 FORBIDDEN', 'working', 'limited', 'working']);
  });

  it('says once that the budget is used up', async () => {
    shortlink = await runWithBitly({ BITLY_BUDGET: '1' }, { log });
    await shortlink.createLinks(3);
    expect(states()).toEqual(['the budget is used up']);
  });

  it('never contains the token, whatever bitly answers', async () => {
    shortlink = await runWithBitly({}, { log });
    const { bitly, clock } = shortlink;
    const echo = JSON.stringify({ message: `Bearer ${bitly.token}`, description: bitly.token });
    for (const behaviour of [{ status: 400, body: echo }, { status: 500, body: echo }, 'drop' as const]) {
      bitly.behave(behaviour);
      await shortlink.createLink(1);
      clock.advance(AFTER_FAILURE_MS);
    }
    expect(states()).toHaveLength(3);
    const text = JSON.stringify(lines, (_, value) => (Error.isError(value) ? String(value.stack) : value));
    expect(text).not.toContain(bitly.token);
  });

  it('names a link that is still at bitly after ten attempts to remove it', async () => {
    shortlink = await runWithBitly({}, { log, breakMs: 10 });
    const { bitly } = shortlink;
    const { url } = await shortlink.createLink(1);
    bitly.behave({ status: 400 }, 'remove');
    await shortlink.removeLinks(1);
    await waitFor(async () => (await shortlink.stored(1))?.removal?.attempts === 1, {
      what: 'the first failed attempt',
    });
    const dueAt = new Date(shortlink.clock.now());
    await linkModel(shortlink.mongo).updateOne({ jobId: 1 }, { removal: { attempts: 9, dueAt } });
    const errors = () => lines.filter(({ level }) => level === 'error');
    await waitFor(() => errors().length > 0, { what: 'the error in the log' });
    expect(errors()).toEqual([
      {
        level: 'error',
        details: { jobId: 1, bitlink: url.slice('https://'.length), attempts: 10, reason: 'status 400' },
        message: 'a link of a deleted job is still at bitly',
      },
    ]);
  });

  it('warns of links that stay at bitly because there is no token any more', async () => {
    shortlink = await runWithBitly({}, { log });
    await shortlink.createLink(1);
    shortlink.bitly.behave('hang', 'remove');
    await shortlink.removeLinks(1);
    await shortlink.stopReplicas();
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin', BITLY_TOKEN: '' });
    expect(lines.filter(({ details }) => 'links' in details)).toMatchObject([
      { level: 'warn', details: { links: 1 } },
    ]);
  });
});
