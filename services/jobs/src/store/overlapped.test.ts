import { describe, expect, it } from '@jest/globals';
import { overlapped } from './overlapped.ts';

async function* from<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Work that ends when it is told to, and knows what of it is under way. */
function controlled() {
  const begun: number[] = [];
  const endings = new Map<number, PromiseWithResolvers<number>>();
  const endingOf = (item: number) => {
    const ending = endings.get(item) ?? Promise.withResolvers<number>();
    endings.set(item, ending);
    return ending;
  };
  const work = (item: number): Promise<number> => {
    begun.push(item);
    return endingOf(item).promise;
  };
  return {
    begun,
    work,
    end: (item: number) => endingOf(item).resolve(item * 10),
    fail: (item: number) => endingOf(item).reject(new Error(`${item} failed`)),
  };
}

/** Everything that can go on without new events has gone on then. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('overlapped work', () => {
  it.each([
    ['none', []],
    ['one', [1]],
    ['several', [1, 2, 3, 4]],
  ])('yields the results of %s in their order', async (_, items) => {
    const results = await Array.fromAsync(overlapped(from(items), async (item) => item * 10));
    expect(results).toEqual(items.map((item) => item * 10));
  });

  it('works on two items at once, and on no more', async () => {
    const { begun, work, end } = controlled();
    const all = Array.fromAsync(overlapped(from([1, 2, 3]), work));
    await settled();
    expect(begun).toEqual([1, 2]);
    end(2);
    await settled();
    expect(begun).toEqual([1, 2]);
    end(1);
    await settled();
    expect(begun).toEqual([1, 2, 3]);
    end(3);
    await expect(all).resolves.toEqual([10, 20, 30]);
  });

  it('rejects as the work does, once what is under way has ended', async () => {
    const { begun, work, end, fail } = controlled();
    let isOver = false;
    const all = Array.fromAsync(overlapped(from([1, 2, 3]), work)).finally(() => (isOver = true));
    all.catch(() => undefined);
    fail(1);
    await settled();
    expect(isOver).toBe(false);
    end(2);
    await expect(all).rejects.toThrow('1 failed');
    expect(begun).toEqual([1, 2]);
  });

  it('rejects as the last work does', async () => {
    const { work, end, fail } = controlled();
    const all = Array.fromAsync(overlapped(from([1, 2]), work));
    end(1);
    fail(2);
    await expect(all).rejects.toThrow('2 failed');
  });

  it('ends what is under way where nobody wants more', async () => {
    const { begun, work, end } = controlled();
    const results = overlapped(from([1, 2, 3]), work);
    const first = results.next();
    end(1);
    await expect(first).resolves.toEqual({ done: false, value: 10 });
    let isOver = false;
    const over = results.return(undefined).then(() => (isOver = true));
    await settled();
    expect(isOver).toBe(false);
    end(2);
    await over;
    expect(begun).toEqual([1, 2]);
  });
});
