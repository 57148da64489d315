import { describe, expect, it } from '@jest/globals';
import { turns } from './in-turn.ts';

const late = () => new Error('too late');
const soon = () => Date.now() + 60_000;

describe('turns', () => {
  it('runs one at a time for a key, in the order of their coming, also after one that fails', async () => {
    const inTurn = turns();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'a') throw new Error('broken');
    };
    const done = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => inTurn('k', soon(), late, work(name))),
    );
    expect(done.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets other keys pass', async () => {
    const inTurn = turns();
    const held = Promise.withResolvers<void>();
    const slow = inTurn('k', soon(), late, () => held.promise);
    await expect(inTurn('other', soon(), late, () => Promise.resolve('done'))).resolves.toBe('done');
    held.resolve();
    await slow;
  });

  it('refuses work whose turn does not come in time, and lets nobody overtake the one under way', async () => {
    const inTurn = turns();
    const held = Promise.withResolvers<void>();
    const seen: string[] = [];
    const first = inTurn('k', soon(), late, () => held.promise.then(() => void seen.push('first')));
    const never = () => Promise.reject(new Error('must not run'));
    await expect(inTurn('k', Date.now(), late, never)).rejects.toThrow('too late');
    const third = inTurn('k', soon(), late, () => Promise.resolve(void seen.push('third')));
    held.resolve();
    await Promise.all([first, third]);
    expect(seen).toEqual(['first', 'third']);
  });
});
