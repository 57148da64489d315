import { isNotExecuted } from '@joblisting/contracts';
import { type Clock, type Log, refusalOfDatabaseError } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import type { AskingStore, Marked } from '../asking-store.ts';
import type { Link } from '../stored-link.ts';
import type { AllowanceStore } from './allowance-store.ts';
import type { CallSlots } from './call-slots.ts';
import type { Circuit } from './circuit.ts';
import type { BitlyClient, Made } from './client.ts';
import type { Outcome } from './outcome.ts';
import type { Pause } from './pause.ts';
import type { StateLog } from './state-log.ts';

export interface MakerParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly asking: AskingStore;
  readonly addresses: Addresses;
  readonly client: BitlyClient;
  readonly allowance: AllowanceStore;
  readonly slots: CallSlots;
  readonly circuit: Circuit;
  readonly pause: Pause;
  readonly state: StateLog;
}

/** What a link has after it was to be made. */
export interface Attempt {
  readonly link: Link;
  /** Absent where no call was made. */
  readonly outcome?: Outcome<Made>;
}

export interface Patience {
  readonly limitMs: number;
  /** No new job waits for it. */
  readonly isPatient: boolean;
}

export type LinkMaker = ReturnType<typeof linkMaker>;

/**
 * Makes links at bitly: each taken from the budget once, before the first call, and stored after the last one.
 * No call is made in a pause, while the circuit is open, over the budget, or when its turn comes too late.
 */
export function linkMaker(parts: MakerParts) {
  const { clock, log, asking, addresses, client, allowance, slots, circuit, pause, state } = parts;

  /** The period that the link may be taken from; undefined where no call may be made. */
  const allowed = async ({ granted }: Link): Promise<string | undefined> => {
    if (granted !== undefined) {
      await pause.refresh();
      return pause.isOn() ? undefined : granted;
    }
    const spending = await allowance.spend(clock.now());
    if ('granted' in spending) return spending.granted;
    if ('paused' in spending) {
      pause.learn(spending.paused);
      state.limited(spending.paused);
    } else {
      state.usedUp(spending.usedUp);
    }
    return undefined;
  };

  const mark = async (link: Link, granted: string): Promise<Marked> => {
    try {
      return await asking.mark(link, granted);
    } catch (error) {
      // Where the note may be there, the link keeps what was granted: no more is made than the budget has.
      if (link.granted === undefined && isNotDone(error)) await allowance.giveBack(granted);
      throw error;
    }
  };

  /** Nothing came of a call that was noted. */
  const unmark = async (link: Link): Promise<void> => {
    const granted = await asking.unmark(link);
    if (granted !== undefined) await allowance.giveBack(granted);
  };

  const take = async (link: Link, outcome: Outcome<Made>): Promise<Link> => {
    if (outcome.kind === 'limited') {
      const [until] = await Promise.all([pause.begin(outcome), unmark(link)]);
      state.limited(until);
      return link;
    }
    if (outcome.kind === 'failed') {
      state.failing(outcome.reason);
      if (outcome.isCertain) await unmark(link);
      return link;
    }
    state.working();
    const { bitlink, isNew } = outcome.value;
    const attached = await asking.attach(link, bitlink);
    // The budget counts links: one that bitly had already is none.
    if (!isNew && attached.granted !== undefined) await allowance.giveBack(attached.granted);
    if (attached.link.bitlink && attached.link.bitlink.id !== bitlink.id) {
      log.warn({ jobId: link.jobId, bitlink: bitlink.id }, 'bitly has a second link of this job');
    }
    return attached.link;
  };

  const ask = async (link: Link, time: CallTime): Promise<Attempt> => {
    if (time.isLate() || pause.isOn() || circuit.isOpen()) return { link };
    const granted = await allowed(link);
    if (granted === undefined) return { link };
    const marked = await mark(link, granted);
    if (marked !== 'first' && link.granted === undefined) await allowance.giveBack(granted);
    if (marked === 'missed') return { link: await asking.current(link) };
    // The store may have been slow: a call that is cut short says nothing about bitly.
    const outcome = time.isLate()
      ? undefined
      : await circuit.run(() => client.shorten(addresses.share(link.jobId), time.signal));
    if (outcome) return { link: await take(link, outcome), outcome };
    await unmark(link);
    return { link };
  };

  return {
    /** Makes the link within the time there is, and a little more for the store. */
    make: async (link: Link, { limitMs, isPatient }: Patience): Promise<Attempt> => {
      if (pause.isOn() || circuit.isOpen()) return { link };
      const time = callTime(limitMs);
      return (await slots(() => ask(link, time), time.turn, isPatient)) ?? { link };
    },
  };
}

const isNotDone = (error: unknown): boolean => isNotExecuted(refusalOfDatabaseError(error));

interface CallTime {
  /** The end of the call. */
  readonly signal: AbortSignal;
  /** The end of waiting for its turn. */
  readonly turn: AbortSignal;
  /** Too little is left for a call: that it would be cut short would say nothing about bitly. */
  readonly isLate: () => boolean;
}

function callTime(limitMs: number): CallTime {
  const turn = AbortSignal.timeout(Math.ceil(limitMs / 2));
  return { signal: AbortSignal.timeout(limitMs), turn, isLate: () => turn.aborted };
}
