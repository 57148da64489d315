import type { Provider } from '../provider.ts';
import type { Link } from '../stored-link.ts';
import type { LinkMaker, Patience } from './link-maker.ts';

/** Who leaves as much time is not a job that is being made: bitly may take longer then. */
const PATIENT_FROM_MS = 1000;
const PATIENT_MS = 1500;
/** What the answer takes on its way back, and the store. */
const RESERVE_MS = 30;

/**
 * Links by bitly. Many who ask for one link at once are one call.
 * @param timeoutMs how long a new job waits for it
 */
export function bitlyProvider(maker: LinkMaker, timeoutMs: number): Provider {
  const underWay = new Map<string, Promise<Link>>();

  const make = async (link: Link, patience: Patience) => (await maker.make(link, patience)).link;

  return {
    name: 'bitly',
    makesAhead: false,
    settle: (link, deadline) => {
      const running = underWay.get(link.code);
      if (running) return running;
      const left = deadline - Date.now() - RESERVE_MS;
      if (left <= 0) return Promise.resolve(link);
      const isPatient = left >= PATIENT_FROM_MS;
      const limitMs = Math.min(left, isPatient ? PATIENT_MS : timeoutMs);
      const making = make(link, { limitMs, isPatient }).finally(() => underWay.delete(link.code));
      underWay.set(link.code, making);
      return making;
    },
  };
}
