import type { Clock, Log } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import type { LinkStore } from '../link-store.ts';
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
  readonly links: LinkStore;
  readonly addresses: Addresses;
  readonly client: BitlyClient;
  readonly allowance: AllowanceStore;
  readonly slots: CallSlots;
  readonly circuit: Circuit;
  readonly pause: Pause;
  readonly state: StateLog;
}

export type LinkMaker = ReturnType<typeof linkMaker>;

/**
 * Makes links at bitly: one call each, taken from the budget before it is made, stored with the link after it.
 * No call is made in a pause, while the circuit is open, over the budget, or when its turn comes too late.
 */
export function linkMaker(parts: MakerParts) {
  const { clock, log, links, addresses, client, allowance, slots, circuit, pause, state } = parts;

  /** The period that the call may be taken from; undefined where none may be made. */
  const allowed = async (): Promise<string | undefined> => {
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

  const take = async (link: Link, outcome: Outcome<Made>): Promise<Link> => {
    if (outcome.kind === 'limited') {
      state.limited(await pause.begin(outcome.retryAfter));
      return link;
    }
    if (outcome.kind === 'failed') {
      state.failing(outcome.reason);
      return link;
    }
    state.working();
    const { bitlink } = outcome.value;
    const attached = await links.attach(link, bitlink);
    if (attached.bitlink && attached.bitlink.id !== bitlink.id) {
      log.warn({ jobId: link.jobId, bitlink: bitlink.id }, 'bitly has a second link of this job');
    }
    return attached;
  };

  const ask = async (link: Link, time: CallTime): Promise<Link> => {
    if (time.isLate() || pause.isOn() || circuit.isOpen()) return link;
    const granted = await allowed();
    if (granted === undefined) return link;
    if (time.isLate() || !(await links.markAsked(link))) {
      await allowance.giveBack(granted);
      return link;
    }
    const outcome = await circuit.run(() => client.shorten(addresses.share(link.jobId), time.signal));
    const [settled] = await Promise.all([
      outcome ? take(link, outcome) : link,
      isCertainlyNone(outcome) && links.unmarkAsked(link),
      isNoNewOne(outcome) && allowance.giveBack(granted),
    ]);
    return settled;
  };

  return {
    /** Resolves to what the link has within `limitMs`, a little more for the store. */
    make: async (link: Link, limitMs: number): Promise<Link> => {
      if (pause.isOn() || circuit.isOpen()) return link;
      const time = callTime(limitMs);
      return (await slots(() => ask(link, time), time.turn)) ?? link;
    },
  };
}

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

/** Undefined: no call was made. */
type MaybeMade = Outcome<Made> | undefined;

const isCertainlyNone = (outcome: MaybeMade): boolean =>
  outcome === undefined || outcome.kind === 'limited' || (outcome.kind === 'failed' && outcome.certain);

/** The budget counts links: one that bitly had already is none. */
const isNoNewOne = (outcome: MaybeMade): boolean =>
  isCertainlyNone(outcome) || (outcome?.kind === 'done' && !outcome.value.isNew);
