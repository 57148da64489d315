import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  it('returns what the condition answers once it is true', async () => {
    let looks = 0;
    const answer = await waitFor(() => (++looks === 3 ? 'here' : undefined), { everyMs: 1, what: 'it' });
    expect(answer).toBe('here');
  });

  it('takes a throwing condition as not yet true', async () => {
    let looks = 0;
    const condition = (): boolean => {
      looks += 1;
      if (looks < 2) throw new Error('away');
      return true;
    };
    await expect(waitFor(condition, { everyMs: 1, what: 'it' })).resolves.toBe(true);
  });

  it('names what is still missing when it gives up', async () => {
    let open = ['job 7', 'job 8'];
    const closeOne = (): boolean => {
      open = open.slice(0, 1);
      return false;
    };
    const what = () => `${open.join(', ')} to become Closed`;
    await expect(waitFor(closeOne, { limitMs: 5, everyMs: 1, what })).rejects.toThrow(
      'Waited 5 ms for job 7 to become Closed.',
    );
  });

  it('names what it waited for, and why it was not true', async () => {
    const failure = waitFor(() => Promise.reject(new Error('away')), {
      limitMs: 5,
      everyMs: 1,
      what: 'the tide',
    });
    await expect(failure).rejects.toThrow('Waited 5 ms for the tide.');
    await expect(failure).rejects.toMatchObject({ cause: { message: 'away' } });
  });
});
