import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLog, type Log } from '@joblisting/service-kit';
import { waitFor } from '@joblisting/testing';
import type { StoredLink } from '../src/stored-link.ts';
import { runWithBitly, type WithBitly } from './running-bitly.ts';

/** What was logged. */
interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: Record<string, unknown>;
  readonly message: string;
}

let running: WithBitly;
let lines: Line[];
let log: Log;
beforeEach(() => {
  lines = [];
  const silent = createLog('shortlink', 'silent');
  const keep = (level: Line['level']) => (details: unknown, message?: string) => {
    lines.push(
      typeof details === 'string'
        ? { level, details: {}, message: details }
        : { level, details: details as Record<string, unknown>, message: message ?? '' },
    );
  };
  log = Object.assign(Object.create(silent) as Log, {
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  });
});
afterEach(() => running.stop());

const states = () =>
  lines.flatMap(({ details }) => (details['state'] === undefined ? [] : [details['state']]));

describe('the log', () => {
  it('says once how it stands with bitly, and once when that changes', async () => {
    running = await runWithBitly({ BITLY_BUDGET: '2', BITLY_BREAK_MS: '10' }, log);
    const { shortlink, bitly, clock } = running;
    bitly.behave({ status: 403, body: '{"message":"FORBIDDEN"}' });
    for (let jobId = 1; jobId <= 8; jobId++) await shortlink.linkOf(jobId);
    bitly.behave('fine');
    await waitFor(async () => (await shortlink.linkOf(1)).final, { what: 'the first link' });
    bitly.behave({ status: 429, headers: { 'retry-after': '60' } });
    for (let jobId = 2; jobId <= 4; jobId++) await shortlink.linkOf(jobId);
    bitly.behave('fine');
    clock.advance(60_000);
    await shortlink.linkOf(2);
    for (let jobId = 3; jobId <= 5; jobId++) await shortlink.linkOf(jobId);
    expect(states()).toEqual([
      'failing: status 403 FORBIDDEN',
      'working',
      'limited',
      'working',
      'the budget of 2026-03 is used up',
    ]);
  });

  it('never holds the token, whatever bitly says', async () => {
    running = await runWithBitly({}, log);
    const { shortlink, bitly } = running;
    const echo = JSON.stringify({ message: `Bearer ${bitly.token}`, description: bitly.token });
    for (const behaviour of [{ status: 400, body: echo }, { status: 500, body: echo }, 'drop' as const]) {
      bitly.behave(behaviour);
      await shortlink.linkOf(1);
    }
    expect(states()).toHaveLength(3);
    expect(
      JSON.stringify(lines, (_, value) => (Error.isError(value) ? String(value.stack) : value)),
    ).not.toContain(bitly.token);
  });

  it('tells of a removal that is given up, after sixteen refusals; a restart takes it up again', async () => {
    running = await runWithBitly({ BITLY_BREAK_MS: '10' }, log);
    const { shortlink, bitly, clock } = running;
    const { url } = await shortlink.linkOf(1);
    bitly.behave({ status: 400 }, 'remove');
    await shortlink.remove([1]);
    const links = shortlink.mongo.collection<StoredLink>('links');
    await waitFor(async () => (await links.findOne({ jobId: 1 }))?.removal?.attempts === 1, {
      what: 'the first attempt',
    });
    await links.updateOne({ jobId: 1 }, { $set: { 'removal.refusals': 15 } });
    clock.advance(30_000);
    const errors = () => lines.filter(({ level }) => level === 'error');
    await waitFor(() => errors().length > 0, { what: 'the end of it' });
    expect(await links.findOne({ jobId: 1 })).toMatchObject({
      removal: { givenUpAt: new Date(clock.now()) },
    });
    expect(errors()).toEqual([
      {
        level: 'error',
        details: { jobId: 1, bitlink: url.slice('https://'.length), refusals: 16 },
        message: 'a link stays at bitly: its removal is given up until the next start',
      },
    ]);
    await shortlink.stopReplicas();
    bitly.behave('fine');
    await shortlink.addReplica();
    await waitFor(async () => (await links.findOne({ jobId: 1 })) === null, { what: 'the removal' });
    expect(bitly.links.size).toBe(0);
  });

  it('gives up no removal because of a token that has expired', async () => {
    running = await runWithBitly({ BITLY_BREAK_MS: '10' }, log);
    const { shortlink, bitly, clock } = running;
    await shortlink.linkOf(1);
    bitly.behave({ status: 403, body: '{"message":"FORBIDDEN"}' }, 'remove');
    await shortlink.remove([1]);
    const links = shortlink.mongo.collection<StoredLink>('links');
    const attempts = async () => (await links.findOne({ jobId: 1 }))?.removal?.attempts;
    await waitFor(async () => (await attempts()) === 1, { what: 'the first attempt' });
    await links.updateOne({ jobId: 1 }, { $set: { 'removal.attempts': 40 } });
    clock.advance(30_000);
    await waitFor(async () => (await attempts()) === 41, { what: 'the next attempt' });
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
    bitly.behave('fine');
    clock.advance(6 * 3_600_000);
    await waitFor(async () => (await links.findOne({ jobId: 1 })) === null, { what: 'the removal' });
  });

  it('tells that links stay at bitly where its token is taken away', async () => {
    running = await runWithBitly({}, log);
    const { shortlink, bitly } = running;
    await shortlink.linkOf(1);
    bitly.behave('hang', 'remove');
    await shortlink.remove([1]);
    await shortlink.stopReplicas();
    await shortlink.addReplica({ SHORTLINK_PROVIDER: 'builtin', BITLY_TOKEN: '' });
    expect(lines.filter(({ details }) => 'links' in details)).toMatchObject([
      { level: 'warn', details: { links: 1 } },
    ]);
  });
});
