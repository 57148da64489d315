import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { waitLimiter } from './wait-limiter.ts';

describe('waitLimiter', () => {
  it('bounds who waits, of one client and in total, until the work is over', async () => {
    const wait = waitLimiter(3, 2, () => new ServiceError('rate_limited'));
    const works = new Map<string, () => void>();
    const start = (client: string, name: string) =>
      wait(client, () => new Promise<string>((resolve) => works.set(name, () => resolve(name))));
    const refused = { code: 'rate_limited' };

    const [first, second] = [start('a', 'first'), start('a', 'second')];
    await expect(start('a', 'third')).rejects.toMatchObject(refused);
    const other = start('b', 'other');
    await expect(start('c', 'more')).rejects.toMatchObject(refused);
    expect([...works.keys()]).toEqual(['first', 'second', 'other']);
    works.get('first')?.();
    expect(await first).toBe('first');
    const next = start('c', 'next');
    for (const end of works.values()) end();
    expect(await Promise.all([second, other, next])).toEqual(['second', 'other', 'next']);
  });

  it('counts no work that failed', async () => {
    const wait = waitLimiter(1, 1, () => new ServiceError('rate_limited'));
    const failed = () => Promise.reject(new Error('failed'));
    for (let time = 0; time < 3; time++) await expect(wait('a', failed)).rejects.toThrow('failed');
  });
});
