import { describe, expect, it } from '@jest/globals';
import { lastUsed } from './last-used.ts';

function recording() {
  const written: Record<string, number>[] = [];
  const used = lastUsed(async (uses) => void written.push(Object.fromEntries(uses)));
  return { written, used };
}

describe('lastUsed', () => {
  it('writes each secret once, with its latest use', async () => {
    const { written, used } = recording();
    used.note('a', 1);
    used.note('b', 2);
    used.note('a', 3);
    await used.write();
    expect(written).toEqual([{ a: 3, b: 2 }]);
  });

  it('writes nothing if nothing was used since', async () => {
    const { written, used } = recording();
    used.note('a', 1);
    await used.write();
    await used.write();
    expect(written).toHaveLength(1);
  });

  it('repeats a failed write, with the uses since', async () => {
    const written: Record<string, number>[] = [];
    const outcomes = [() => Promise.reject(new Error('away')), async () => used.note('b', 4)];
    const used = lastUsed(async (uses) => {
      written.push(Object.fromEntries(uses));
      await outcomes.shift()?.();
    });
    used.note('a', 1);
    await expect(used.write()).rejects.toThrow('away');
    used.note('b', 2);
    await used.write();
    await used.write();
    await used.write();
    expect(written).toEqual([{ a: 1 }, { a: 1, b: 2 }, { b: 4 }]);
  });

  it('remembers 10,000 secrets at most', async () => {
    const { written, used } = recording();
    for (let index = 0; index < 10_500; index++) used.note(`secret ${index}`, index);
    used.note('secret 0', 20_000);
    await used.write();
    expect(Object.keys(written[0] ?? {})).toHaveLength(10_000);
    expect(written[0]?.['secret 0']).toBe(20_000);
  });
});
