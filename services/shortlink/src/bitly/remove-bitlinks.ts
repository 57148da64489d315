import type { Clock, Log } from '@joblisting/service-kit';
import type { DueRemoval, RemovalStore } from '../removal-store.ts';
import type { CallSlots } from './call-slots.ts';
import type { Circuit } from './circuit.ts';
import type { BitlyClient } from './client.ts';
import type { LinkMaker } from './link-maker.ts';
import type { Pause } from './pause.ts';
import type { StateLog } from './state-log.ts';

export interface RemovalParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly removals: RemovalStore;
  readonly client: BitlyClient;
  readonly maker: LinkMaker;
  readonly slots: CallSlots;
  readonly circuit: Circuit;
  readonly pause: Pause;
  readonly state: StateLog;
}

const CALL_LIMIT_MS = 1500;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;
/** About two days, by the pauses between them. */
const ATTEMPTS = 16;

/** How long to wait after so many attempts in vain, in milliseconds. */
export const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);

/**
 * Removes at bitly what it has of jobs that are gone (API decisions, "DELETE"). Ends where nothing is due, or
 * bitly is to be left alone; what is claimed and not done then is due again after its lease.
 */
export function removeBitlinks(parts: RemovalParts, stopping: AbortSignal) {
  const { clock, log, removals, client, maker, slots, circuit, pause, state } = parts;

  const fail = async ({ code, jobId, bitlink, attempts: before }: DueRemoval): Promise<void> => {
    const attempts = before + 1;
    if (attempts < ATTEMPTS) {
      await removals.postpone(code, attempts, clock.now() + pauseAfter(attempts));
      return;
    }
    await removals.finish(code);
    log.error({ jobId, bitlink: bitlink?.id, attempts }, 'a link stays at bitly: its removal is given up');
  };

  /** Resolves to whether bitly was asked. */
  const remove = async (removal: DueRemoval, id: string): Promise<boolean> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_LIMIT_MS)]);
    const outcome = await slots(() => circuit.run(() => client.remove(id, signal)), signal);
    if (outcome === undefined) return false;
    if (outcome.kind === 'done') {
      state.working();
      await removals.finish(removal.code);
      return true;
    }
    if (outcome.kind === 'limited') state.limited(await pause.begin(outcome.retryAfter));
    else state.failing(outcome.reason);
    await fail(removal);
    return true;
  };

  return async (): Promise<void> => {
    while (!stopping.aborted && !pause.isOn() && !circuit.isOpen()) {
      const removal = await removals.claim(clock.now());
      if (!removal) return;
      // Asked without an answer: asking again tells what bitly made of it.
      const { bitlink } = removal.bitlink ? removal : await maker.make(removal, CALL_LIMIT_MS);
      if (!bitlink) await fail(removal);
      else if (!(await remove(removal, bitlink.id))) return;
    }
  };
}
