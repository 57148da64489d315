import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { groupCommit, lane } from './group-commit.ts';

const later = () => Date.now() + 10_000;

/** Doubles numbers, in groups that the test lets go one by one. */
function doubling(most = 100) {
  const groups: number[][] = [];
  const gates: (() => void)[] = [];
  const submit = groupCommit<number, number>({
    lane: lane(),
    most,
    apply: async (items) => {
      groups.push([...items]);
      await new Promise<void>((open) => gates.push(open));
      if (items.includes(13)) throw new Error('unlucky');
      return items.map((item) => (item < 0 ? new ServiceError('validation_failed') : item * 2));
    },
  });
  const open = async () => {
    while (gates.length === 0) await new Promise(setImmediate);
    gates.shift()?.();
  };
  return { groups, submit, open };
}

describe('groupCommit', () => {
  it('makes a group of what comes while another one is under way', async () => {
    const { groups, submit, open } = doubling();
    const first = submit(1, later());
    await new Promise(setImmediate);
    const others = [submit(2, later()), submit(3, later())];
    await open();
    await open();
    expect(await first).toBe(2);
    expect(await Promise.all(others)).toEqual([4, 6]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  it('keeps to the size of a group', async () => {
    const { groups, submit, open } = doubling(2);
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => submit(item, later())));
    for (let group = 0; group < 3; group++) await open();
    expect(await all).toEqual([2, 4, 6, 8, 10]);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('refuses one without the others', async () => {
    const { submit, open } = doubling();
    const all = Promise.allSettled([1, -1, 3].map((item) => submit(item, later())));
    await open();
    expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('goes on after a group that failed', async () => {
    const { submit, open } = doubling();
    const failed = Promise.allSettled([submit(12, later()), submit(13, later())]);
    await open();
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = submit(14, later());
    await open();
    expect(await next).toBe(28);
  });

  it('does not begin what has waited past its deadline', async () => {
    const { groups, submit, open } = doubling();
    const late = submit(1, Date.now() - 1);
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const next = submit(2, later());
    await open();
    expect(await next).toBe(4);
    expect(groups).toEqual([[2]]);
  });

  it('runs one group at a time in a lane', async () => {
    const shared = lane();
    let running = 0;
    let most = 0;
    const submit = () =>
      groupCommit<number, number>({
        lane: shared,
        most: 1,
        apply: async (items) => {
          most = Math.max(most, ++running);
          await new Promise(setImmediate);
          running--;
          return items;
        },
      });
    const [one, other] = [submit(), submit()];
    await Promise.all([1, 2, 3].flatMap((item) => [one(item, later()), other(item, later())]));
    expect(most).toBe(1);
  });
});
