import type { mongo } from 'mongoose';
import { isDuplicateKey, isServerError } from './database-errors.ts';
import { inGroups } from './in-groups.ts';
import { type WriteCommand, writeCommand } from './write-command.ts';

/** `taken`: a unique index has one of the document's keys already. `late`: it was not sent in time, and nothing was done. */
export type GroupedWrite = 'done' | 'taken' | 'late';

interface GroupedWritesOptions<T, O> extends WriteCommand<T> {
  /** What else it can mean for one that the database refuses it; undefined where that is a failure. */
  readonly outcomeOf?: (refusal: mongo.MongoServerError) => O | undefined;
  /** Others do not wait for a large one: it has a command of its own. */
  readonly isLarge?: (one: T) => boolean;
}

interface Waiting<T, O> {
  readonly write: T;
  readonly commitBy: number;
  readonly resolve: (outcome: GroupedWrite | O) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what comes in one turn of the event loop, while a group is under way, or is gathered (`inGroups`), by one
 * command. Each has an outcome of its own, and is in the majority's journal like by any other write. Where the database
 * breaks off, the outcome of all of a group is unknown.
 *
 * Worth: with 16 at once, the driver and the database do a third of the work for each. The driver's own bulks would take
 * nearly twice as much of it, for they encode each document once more to know its size.
 */
export function groupedWrites<T, O = never>({
  mongo,
  method,
  collection,
  bodyOf,
  outcomeOf = () => undefined,
  isLarge = () => false,
}: GroupedWritesOptions<T, O>) {
  const send = writeCommand({ mongo, method, collection, bodyOf });

  const writeAll = async (some: readonly Waiting<T, O>[]): Promise<void> => {
    const now = Date.now();
    const group = some.filter(({ commitBy }) => commitBy > now);
    for (const { commitBy, resolve } of some) if (commitBy <= now) resolve('late');
    if (group.length === 0) return;
    const errorOf = await send(group.map(({ write }) => write)).catch((error: unknown) => () => error);
    for (const [index, { resolve, reject }] of group.entries()) {
      const error = errorOf(index);
      const outcome = error === undefined ? 'done' : outcomeOfError(error);
      if (outcome === undefined) reject(error);
      else resolve(outcome);
    }
  };

  const outcomeOfError = (error: unknown): GroupedWrite | O | undefined => {
    if (isDuplicateKey(error)) return 'taken';
    return isServerError(error) ? outcomeOf(error as never) : undefined;
  };

  const add = inGroups(writeAll, { gathers: true });

  /** @param commitBy epoch milliseconds: it is not sent any more from then on */
  return (write: T, commitBy: number): Promise<GroupedWrite | O> =>
    new Promise((resolve, reject) => {
      const one = { write, commitBy, resolve, reject };
      if (isLarge(write)) void writeAll([one]);
      else add(one);
    });
}
