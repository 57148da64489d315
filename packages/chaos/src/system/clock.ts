import { type Noon, noonIn, noonOf } from '../load/noon.ts';
import type { Fleet } from '@joblisting/testing/system';

/** The services whose clock decides about transitions. */
export const CLOCKED = ['jobs', 'scheduler'] as const;

/** The noons that experiments live through, in days from today: later ones may find a clock that has been there. */
export const noons = {
  transitionsOnce: noonOf(1),
  noonOfMany: noonOf(3),
  withoutScheduler: noonOf(5),
  clockJumps: noonOf(7),
} as const;

const LEAST_LEAD_MS = 4000;

/** Starts the services with a clock anew so that noon comes shortly after, and not before they are there. */
export async function moveToNoon(fleet: Fleet, instant: number): Promise<Noon> {
  const processes = CLOCKED.flatMap(fleet.replicas).length;
  const noon = noonIn(Math.ceil(LEAST_LEAD_MS + 2.5 * processes * fleet.launchMs()), instant);
  await fleet.replace(CLOCKED, { clockOffsetMs: noon.clockOffsetMs });
  if (Date.now() > noon.noonAt) throw new Error('the services came up after noon: the machine is too slow');
  return noon;
}

/** Lets `work` do without any scheduler. */
export async function withoutScheduler<T>(fleet: Fleet, work: () => Promise<T>): Promise<T> {
  const replicas = fleet.replicas('scheduler').length;
  await fleet.replace(['scheduler'], { replicas: 0 });
  try {
    return await work();
  } finally {
    await fleet.replace(['scheduler'], { replicas });
  }
}
