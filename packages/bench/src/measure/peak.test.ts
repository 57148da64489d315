import { describe, expect, it } from '@jest/globals';
import { withPeak } from './peak.ts';

describe('withPeak', () => {
  it('has the result, and the largest reading of each group', async () => {
    const readings = [
      { gateway: 90, jobs: 120 },
      { gateway: 140, jobs: 110 },
      { gateway: 80, jobs: 100 },
    ];
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = () => {
      if (readings.length === 1) resolve('done');
      return readings.shift() ?? { gateway: 0, jobs: 0 };
    };
    expect(await withPeak(read, () => promise, 1)).toEqual({
      result: 'done',
      peak: { gateway: 140, jobs: 120 },
    });
  });

  it('rejects with the error of the work', async () => {
    const fail = () => Promise.reject(new Error('refused'));
    await expect(withPeak(() => ({}), fail, 1)).rejects.toThrow('refused');
  });
});
