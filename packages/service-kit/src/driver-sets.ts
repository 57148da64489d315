import { emptyingSet } from '@joblisting/bus';
import type { Mongo } from './mongo.ts';

/** What the MongoDB driver keeps of a client, besides its types: what to end when the client is closed. */
interface Internals {
  activeSessions: Iterable<object>;
  activeCursors: Iterable<object>;
}

/**
 * Gives a client that was just made sets that let go of what has ended (see `emptyingSet`). The driver (7.8) adds every
 * statement's session and cursor to a Set and deletes it again, so that documents stay for the next statements, and
 * theirs for those after them. Where the driver keeps no such sets any more, nothing is changed.
 */
export function letGoOfWhatHasEnded(connection: Mongo): void {
  const { s: internals } = connection.getClient() as unknown as { readonly s?: Partial<Internals> };
  for (const name of ['activeSessions', 'activeCursors'] as const) {
    const known = internals?.[name];
    if (!internals || !(known instanceof Set)) continue;
    const sparing = emptyingSet<object>();
    for (const item of known) sparing.add(item);
    internals[name] = sparing;
  }
}
