import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { fallback, refusal, type RunningWithBitly, runWithBitly } from './running-shortlink.ts';

let shortlink: RunningWithBitly;
afterEach(() => shortlink.stop());

describe('five failures of bitly in a row', () => {
  it.each([
    ['500', refusal(500, 'INTERNAL_ERROR')],
    ['403', refusal(403, 'FORBIDDEN')],
    ['402', refusal(402, 'UPGRADE_REQUIRED')],
    ['a closed connection', 'drop' as const],
  ])('stop the calls: %s', async (_what, behaviour) => {
    shortlink = await runWithBitly({}, { breakMs: 3_600_000 });
    shortlink.bitly.behave(behaviour);
    const links = await shortlink.createLinks(8);
    expect(links).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map(fallback));
    expect(shortlink.calls().made).toBe(5);
    // A restart forgets the failures.
    await shortlink.stopReplicas();
    shortlink.bitly.behave('fine');
    await shortlink.addReplica();
    expect((await shortlink.createLink(8)).final).toBe(true);
  });

  it('let one call through after a while, and no second one before it is answered', async () => {
    shortlink = await runWithBitly({}, { breakMs: 50 });
    shortlink.bitly.behave(refusal(500, 'INTERNAL_ERROR'));
    await shortlink.createLinks(5);
    shortlink.bitly.behave('hang');
    const probe = waitFor(
      async () => {
        await shortlink.createLink(6);
        return shortlink.calls().made === 6;
      },
      { what: 'the call that tries bitly' },
    );
    await waitFor(() => shortlink.calls().made === 6, { what: 'the call at bitly', everyMs: 5 });
    expect(await shortlink.createLink(7)).toEqual(fallback(7));
    expect(shortlink.calls().made).toBe(6);
    await probe;
    shortlink.bitly.behave('fine');
    await waitFor(async () => (await shortlink.createLink(7)).final, { what: 'the circuit to close' });
    expect((await shortlink.createLink(8)).final).toBe(true);
  });

  it('while removing links do not stop the creation of others', async () => {
    shortlink = await runWithBitly({}, { breakMs: 3_600_000 });
    await shortlink.createLinks(6);
    shortlink.bitly.behave(refusal(403, 'FORBIDDEN'), 'remove');
    await shortlink.removeLinks(1, 2, 3, 4, 5, 6);
    await waitFor(() => shortlink.calls().removed === 5, { what: 'five failures in a row' });
    expect((await shortlink.createLink(7)).final).toBe(true);
    expect(shortlink.calls().removed).toBe(5);
  });
});
