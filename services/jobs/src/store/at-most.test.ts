import { describe, expect, it } from '@jest/globals';
import { atMost } from './at-most.ts';

const turn = () => new Promise(setImmediate);

describe('work of which two are done at once', () => {
  it('waits for its turn, and goes on behind what fails', async () => {
    const inTurn = atMost(2);
    const begun: PromiseWithResolvers<string>[] = [];
    const results = Array.from({ length: 5 }, (_, index) =>
      inTurn(() => {
        const work = Promise.withResolvers<string>();
        begun[index] = work;
        return work.promise;
      }).catch((error: Error) => error.message),
    );
    expect(begun).toHaveLength(2);
    begun[1]?.reject(new Error('failed'));
    await turn();
    expect(begun).toHaveLength(3);
    begun[0]?.resolve('done');
    begun[2]?.resolve('done');
    await turn();
    expect(begun).toHaveLength(5);
    begun[3]?.resolve('done');
    begun[4]?.resolve('done');
    expect(await Promise.all(results)).toEqual(['done', 'failed', 'done', 'done', 'done']);
    expect(await inTurn(async () => 'alone')).toBe('alone');
  });
});
