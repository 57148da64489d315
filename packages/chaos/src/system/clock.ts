import { type Noon, noonIn, noonOf } from '../load/noon.ts';
import type { Fleet } from '@joblisting/testing/system';

/** The services whose clock decides transitions. */
export const CLOCKED = ['jobs', 'scheduler'] as const;

/** The noon of each experiment. Each is later than the one before, because a shared system's clock cannot go back. */
export const noons = {
  transitionsOnce: noonOf(1),
  noonOfMany: noonOf(3),
  withoutScheduler: noonOf(5),
  clockJumps: noonOf(7),
} as const;

const MIN_LEAD_MS = 4000;

/** Restarts the services with a clock at which noon comes shortly after they are ready. */
export async function moveToNoon(fleet: Fleet, instant: number): Promise<Noon> {
  const processes = CLOCKED.flatMap(fleet.replicas).length;
  const noon = noonIn(Math.ceil(MIN_LEAD_MS + 2.5 * processes * fleet.launchMs()), instant);
  await fleet.replace(CLOCKED, { clockOffsetMs: noon.clockOffsetMs });
  if (Date.now() > noon.noonAt)
    throw new Error('the services were not ready before noon: the machine is too slow');
  return noon;
}

/** Does the work without a scheduler. */
export async function withoutScheduler<T>(fleet: Fleet, work: () => Promise<T>): Promise<T> {
  const replicas = fleet.replicas('scheduler').length;
  await fleet.replace(['scheduler'], { replicas: 0 });
  try {
    return await work();
  } finally {
    await fleet.replace(['scheduler'], { replicas });
  }
}
