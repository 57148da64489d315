import { describe, expect, it } from '@jest/globals';
import { callSlots } from './call-slots.ts';

const never = new AbortController().signal;

/** Work that is under way until it is let go. */
function works() {
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => () => {
    begun.push(name);
    return promise;
  };
  return { begun, work, letGo: resolve };
}

describe('callSlots', () => {
  it('leaves half of the slots to those who cannot wait', async () => {
    const slots = callSlots(4);
    const { begun, work, letGo } = works();
    const patient = [1, 2, 3, 4].map((one) => slots(work(`patient ${one}`), never, true));
    const urgent = [1, 2, 3].map((one) => slots(work(`urgent ${one}`), never, false));
    expect(begun).toEqual(['patient 1', 'patient 2', 'urgent 1', 'urgent 2']);
    letGo();
    await Promise.all([...patient, ...urgent]);
    expect(begun).toHaveLength(7);
  });

  it('does nothing for whom no turn comes in time', async () => {
    const slots = callSlots(2);
    const { begun, work, letGo } = works();
    const running = slots(work('first'), never, true);
    const patience = new AbortController();
    const waiting = slots(work('second'), patience.signal, true);
    patience.abort();
    expect(await waiting).toBeUndefined();
    letGo();
    await running;
    expect(begun).toEqual(['first']);
  });
});
