import { describe, expect, it } from '@jest/globals';
import type { CallContext } from '@joblisting/bus';
import { ServiceError } from '@joblisting/contracts';
import { askedTogether } from './asked-together.ts';

const SOON = Date.now() + 60_000;
const context = (requestId: string, deadline = SOON): CallContext => ({ requestId, deadline });

/** A peer that says how it was asked; `many` may be replaced. */
function setUp(many?: () => Promise<never>) {
  const singles: number[] = [];
  const groups: { readonly items: readonly number[]; readonly context: CallContext }[] = [];
  const ask = askedTogether<number, string>({
    one: async (item) => {
      singles.push(item);
      if (item < 0) throw new ServiceError('validation_failed');
      return `one ${item}`;
    },
    many: async (items, context) => {
      groups.push({ items, context });
      return many
        ? many()
        : items.map((item) => (item < 0 ? new ServiceError('overloaded') : `of many ${item}`));
    },
  });
  return { ask, singles, groups };
}

describe('what is asked at once', () => {
  it('is asked by one request, with the ids of all and the time of the one that has most', async () => {
    const { ask, singles, groups } = setUp();
    const asked = [
      ask(1, context('a', SOON)),
      ask(2, context('b', SOON + 20)),
      ask(3, context('c', SOON + 10)),
    ];
    expect(await Promise.all(asked)).toEqual(['of many 1', 'of many 2', 'of many 3']);
    expect(groups).toEqual([{ items: [1, 2, 3], context: { requestId: 'a,b,c', deadline: SOON + 20 } }]);
    expect(singles).toEqual([]);
  });

  it('is not asked where it is too late', async () => {
    const { ask, groups } = setUp();
    const asked = [ask(1, context('a', 1)), ask(2, context('b')), ask(3, context('c'))];
    const [first, ...others] = await Promise.allSettled(asked);
    expect(first).toMatchObject({ reason: { code: 'deadline_exceeded' } });
    expect(others).toMatchObject([{ value: 'of many 2' }, { value: 'of many 3' }]);
    expect(groups.map(({ items }) => items)).toEqual([[2, 3]]);
  });

  it('is refused each for itself', async () => {
    const { ask } = setUp();
    const [first, second] = await Promise.allSettled([ask(-1, context('a')), ask(2, context('b'))]);
    expect(first).toMatchObject({ reason: { code: 'overloaded' } });
    expect(second).toMatchObject({ value: 'of many 2' });
  });

  it.each(['unavailable', 'validation_failed'] as const)(
    'is asked one by one where all of it is refused as %s',
    async (code) => {
      const { ask, singles } = setUp(() => Promise.reject(new ServiceError(code)));
      const [first, second] = await Promise.allSettled([ask(-1, context('a')), ask(2, context('b'))]);
      expect(first).toMatchObject({ reason: { code: 'validation_failed' } });
      expect(second).toMatchObject({ value: 'one 2' });
      expect(singles).toEqual([-1, 2]);
    },
  );

  it('is not asked again where it may have been done', async () => {
    const { ask, singles } = setUp(() => Promise.reject(new ServiceError('deadline_exceeded')));
    const asked = await Promise.allSettled([ask(1, context('a')), ask(2, context('b'))]);
    expect(asked).toMatchObject([
      { reason: { code: 'deadline_exceeded' } },
      { reason: { code: 'deadline_exceeded' } },
    ]);
    expect(singles).toEqual([]);
  });
});

it('one by itself is asked as it is', async () => {
  const { ask, singles, groups } = setUp();
  expect(await ask(1, context('a'))).toBe('one 1');
  expect({ singles, groups }).toEqual({ singles: [1], groups: [] });
});
