import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '@joblisting/testing';
import { LOST, writing } from './writes.ts';

const { untilWritten, inTurn } = writing(seededRandom(1));
const refusal = { code: 'overloaded', retryAfterSeconds: 1 };

describe('untilWritten', () => {
  it('goes on until an attempt does not lose', async () => {
    const attempt = (run: number) => Promise.resolve(run < 20 ? LOST : run);
    await expect(untilWritten(Date.now() + 60_000, attempt)).resolves.toBe(20);
  });

  it('makes one attempt, however late it is, and refuses when it has lost', async () => {
    const runs: number[] = [];
    const attempt = (run: number) => {
      runs.push(run);
      return Promise.resolve(LOST);
    };
    await expect(untilWritten(Date.now(), attempt)).rejects.toMatchObject(refusal);
    expect(runs).toEqual([0]);
  });

  it('passes on what an attempt throws', async () => {
    const attempt = () => Promise.reject(new Error('broken'));
    await expect(untilWritten(Date.now() + 60_000, attempt)).rejects.toThrow('broken');
  });
});

describe('inTurn', () => {
  it('refuses what would begin too late to be committed', async () => {
    const held = Promise.withResolvers<void>();
    const first = inTurn('k', Date.now() + 60_000, () => held.promise);
    const never = () => Promise.reject(new Error('must not run'));
    await expect(inTurn('k', Date.now() + 100, never)).rejects.toMatchObject(refusal);
    held.resolve();
    await first;
  });
});
