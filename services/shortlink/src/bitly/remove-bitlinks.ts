import type { Clock, Log } from '@joblisting/service-kit';
import type { DueRemoval, RemovalStore } from '../removal-store.ts';
import type { CallSlots } from './call-slots.ts';
import type { Circuit } from './circuit.ts';
import type { BitlyClient } from './client.ts';
import type { LinkMaker } from './link-maker.ts';
import type { Failed, Outcome } from './outcome.ts';
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
const REFUSALS = 16;
const PATIENCE = { limitMs: CALL_LIMIT_MS, isPatient: true };
const DONE = { kind: 'done', value: undefined } as const;

/** How long to wait after so many attempts in vain, in milliseconds. */
export const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);

/**
 * Removes at bitly what it has of jobs that are gone (API decisions, "DELETE"). Ends where nothing is due, or
 * bitly is to be left alone. Only what bitly refuses for its own sake is given up in the end, and kept as such.
 */
export function removeBitlinks(parts: RemovalParts, stopping: AbortSignal) {
  const { clock, log, removals, client, maker, slots, circuit, pause, state } = parts;

  const removeOne = async (id: string): Promise<Outcome<unknown> | undefined> => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(CALL_LIMIT_MS)]);
    const outcome = await slots(() => circuit.run(() => client.remove(id, signal)), signal, true);
    if (outcome?.kind === 'done') state.working();
    if (outcome?.kind === 'limited') state.limited(await pause.begin(outcome));
    if (outcome?.kind === 'failed') state.failing(outcome.reason);
    return outcome;
  };

  /** Undefined where bitly could not be asked. */
  const remove = async (removal: DueRemoval): Promise<Outcome<unknown> | undefined> => {
    if (!removal.mayBeThere) return DONE;
    // Asked without an answer: asking again tells what bitly made of it.
    const found = removal.bitlink ? { link: removal } : await maker.make(removal, PATIENCE);
    if (!found.link.bitlink) return found.outcome;
    for (const id of [found.link.bitlink.id, ...removal.spares]) {
      const outcome = await removeOne(id);
      if (outcome?.kind !== 'done') return outcome;
    }
    return DONE;
  };

  const fail = async (before: DueRemoval, { isRefusal }: Failed): Promise<void> => {
    const attempts = before.attempts + 1;
    const refusals = before.refusals + (isRefusal ? 1 : 0);
    const removal = { ...before, attempts, refusals };
    if (refusals < REFUSALS) return removals.postpone(removal, clock.now() + pauseAfter(attempts));
    await removals.giveUp(removal, clock.now());
    const { jobId, bitlink } = removal;
    log.error(
      { jobId, bitlink: bitlink?.id, refusals },
      'a link stays at bitly: its removal is given up until the next start',
    );
  };

  return async (): Promise<void> => {
    await pause.refresh();
    while (!stopping.aborted && !pause.isOn() && !circuit.isOpen()) {
      const removal = await removals.claim(clock.now());
      if (!removal) return;
      const outcome = await remove(removal);
      if (outcome?.kind === 'done') {
        await removals.finish(removal.code);
      } else if (outcome?.kind === 'failed') {
        await fail(removal, outcome);
      } else {
        await removals.postpone(removal, clock.now() + FIRST_PAUSE_MS);
        return;
      }
    }
  };
}
