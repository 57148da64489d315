import { waitFor } from '@joblisting/testing';
import type { Servers } from '../system/servers.ts';

/** A job in the database of the jobs service. */
export interface StoredJob {
  readonly _id: number;
  readonly version: number;
  readonly statusId: number;
  /** It has no short link yet. Getting one raises its version. */
  readonly linkPending?: true;
}

const fields = { version: 1, statusId: 1, linkPending: 1 };

/** The stored jobs by id. */
export async function storedJobs(
  { mongod, databasePrefix }: Servers,
  ids: ReadonlySet<number>,
): Promise<Map<number, StoredJob>> {
  const all = await mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', fields);
  return new Map(all.filter(({ _id }) => ids.has(_id)).map((job) => [job._id, job]));
}

/** Waits until all these jobs have their short links, so that only transitions change them. Resolves to the jobs. */
export function untilLinked(servers: Servers, ids: ReadonlySet<number>): Promise<Map<number, StoredJob>> {
  let pending: number[] = [];
  return waitFor(
    async () => {
      const stored = await storedJobs(servers, ids);
      pending = [...ids].filter((id) => stored.get(id)?.linkPending !== undefined || !stored.has(id));
      return pending.length === 0 ? stored : undefined;
    },
    {
      limitMs: 60_000,
      everyMs: 500,
      what: () => `short links of ${pending.length} jobs, such as job ${pending[0]}`,
    },
  );
}
