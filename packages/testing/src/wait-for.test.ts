import { describe, expect, it } from '@jest/globals';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  it('returns the first truthy result of the condition', async () => {
    let looks = 0;
    const answer = await waitFor(() => (++looks === 3 ? 'here' : undefined), { everyMs: 1, what: 'it' });
    expect(answer).toBe('here');
  });

  it('treats a throwing condition as not yet true', async () => {
    let looks = 0;
    const condition = (): boolean => {
      looks += 1;
      if (looks < 2) throw new Error('unavailable');
      return true;
    };
    await expect(waitFor(condition, { everyMs: 1, what: 'it' })).resolves.toBe(true);
  });

  it('names in its error what is missing at the end', async () => {
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

  it('rejects with what it waited for, and the last error as cause', async () => {
    const failure = waitFor(() => Promise.reject(new Error('unavailable')), {
      limitMs: 5,
      everyMs: 1,
      what: 'the tide',
    });
    await expect(failure).rejects.toThrow('Waited 5 ms for the tide.');
    await expect(failure).rejects.toMatchObject({ cause: { message: 'unavailable' } });
  });
});
