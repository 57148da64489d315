import { nextTick } from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { endOfTurn } from './turns.ts';

describe.each([
  ['nextTick', nextTick],
  ['setImmediate', setImmediate],
])('the end of a turn, by %s', (_name, atItsEnd) => {
  it('comes once for all who ask in it, in their order, with nothing in between', async () => {
    const turnEnds = endOfTurn(atItsEnd);
    const seen: string[] = [];
    const publish = async (what: string) => {
      await turnEnds();
      seen.push(what);
      // As the client does that writes what was published.
      if (what === 'first') queueMicrotask(() => seen.push('written'));
    };
    const later = Promise.resolve().then(() => publish('asked by a microtask'));
    await Promise.all([publish('first'), publish('second'), later]);
    expect(seen).toEqual(['first', 'second', 'asked by a microtask', 'written']);
  });

  it('comes again in the next one', async () => {
    const turnEnds = endOfTurn(atItsEnd);
    const first = turnEnds();
    await first;
    expect(turnEnds()).not.toBe(first);
  });
});
