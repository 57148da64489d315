import { waitFor } from '@joblisting/testing';
import type { Servers } from '../system/servers.ts';

/** What the jobs service has stored of a job. */
export interface StoredJob {
  readonly _id: number;
  readonly version: number;
  readonly statusId: number;
  /** It waits for its short link, and will have a higher version then. */
  readonly linkPending?: true;
}

const fields = { version: 1, statusId: 1, linkPending: 1 };

/** These jobs as they are stored, by id. */
export async function storedJobs(
  { mongod, databasePrefix }: Servers,
  ids: ReadonlySet<number>,
): Promise<Map<number, StoredJob>> {
  const all = await mongod.read<StoredJob>(`${databasePrefix}jobs`, 'jobs', fields);
  return new Map(all.filter(({ _id }) => ids.has(_id)).map((job) => [job._id, job]));
}

/** Waits until nothing is left to be done about these jobs but what their dates demand, and tells how they stand. */
export function calmJobs(servers: Servers, ids: ReadonlySet<number>): Promise<Map<number, StoredJob>> {
  let busy: number[] = [];
  return waitFor(
    async () => {
      const stored = await storedJobs(servers, ids);
      busy = [...ids].filter((id) => stored.get(id)?.linkPending !== undefined || !stored.has(id));
      return busy.length === 0 ? stored : undefined;
    },
    {
      limitMs: 60_000,
      everyMs: 500,
      what: () => `short links of ${busy.length} jobs, such as job ${busy[0]}`,
    },
  );
}
