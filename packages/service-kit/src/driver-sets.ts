import { emptyingSet } from '@joblisting/bus';
import type { Connection } from 'mongoose';

/** All that the driver (7.8) asks of these sets. */
interface Kept extends Iterable<object> {
  readonly add: (item: object) => unknown;
  readonly delete: (item: object) => boolean;
  readonly clear: () => void;
}

/** What the MongoDB driver keeps of a client, besides its types: what to end when the client is closed. */
interface Internals {
  activeSessions: Kept;
  activeCursors: Kept;
}

/**
 * Gives a client that has just connected sets that let go of what has ended (see `emptyingSet`). The driver adds every
 * statement's session and cursor to a Set and deletes them again: they would stay, with the reply that they hold. Where
 * the driver keeps no such Sets any more, nothing is changed.
 */
export function letGoOfWhatHasEnded(connection: Connection): void {
  const { s: internals } = connection.getClient() as unknown as { readonly s?: Partial<Internals> };
  for (const name of ['activeSessions', 'activeCursors'] as const) {
    const known = internals?.[name];
    if (!internals || !(known instanceof Set)) continue;
    const emptying = emptyingSet<object>();
    for (const item of known) emptying.add(item);
    internals[name] = emptying;
  }
}
