import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { atLeast, type Figure, none, note } from '../figures.ts';
import type { Cluster } from '../system/cluster.ts';
import { compareCounts, totalsOf } from './events.ts';
import { listAll } from './jobs.ts';
import { followEvents } from './ledger.ts';
import type { NodesLoad } from './nodes-load.ts';
import { readBack } from './read-back.ts';
import { compareTold } from './transitions-told.ts';

const patience = { limitMs: 60_000, everyMs: 500 };
/** What would be counted once too often would be by then. */
const AFTERMATH_MS = 2500;
const REPLICAS = 3;

/** Compares what a cluster has, once all its nodes are back, with what was acknowledged. */
export async function auditNodes(cluster: Cluster, load: NodesLoad): Promise<Figure[]> {
  await Promise.all([cluster.mongod.whole(), cluster.nats.whole()]);
  const { journal, steady, overBus } = load;
  const counts = await untilRightForGood(() => wrongCounts(load));
  const made = await compareMade(load);
  const { lost, duplicates } = await readBack(load.journaled, journal);
  const { twice, missing } = await untilTold(cluster, load);
  const { writes, uncertain, keyed, replays } = journal.counts;
  const of = `${writes + steady.made.size} acknowledged`;
  const events = steady.events.length + overBus.length;
  return [
    none('Acknowledged writes lost', [...lost, ...made.lost], of),
    none(
      'Duplicate jobs',
      [...duplicates, ...made.duplicates],
      `${journal.entries.size + steady.made.size} jobs, ${keyed + steady.made.size} of them by key alone`,
    ),
    none('Answers against the contract', [...journal.violations, ...steady.odd], of),
    none(
      'Counts that differ from the distinct ids',
      counts,
      `${events} events, ${overBus.length} of them over the bus`,
    ),
    none('Transitions told twice', twice, `${journal.entries.size} jobs`),
    none('Transitions of jobs not told', missing, `${journal.entries.size} jobs`),
    ...(await replication(cluster)),
    note('Writes whose first answer was lost or 504', String(uncertain)),
    note('Answers that were given again for a key', String(replays)),
  ];
}

/** Looks until nothing is wrong. */
async function untilRight(look: () => Promise<string[]>): Promise<string[]> {
  let wrong: string[] = [];
  const isRight = async (): Promise<boolean> => {
    wrong = await look();
    return wrong.length === 0;
  };
  await waitFor(isRight, { ...patience, what: 'nothing to be wrong' }).catch(() => false);
  return wrong;
}

/** Looks until nothing is wrong, and once more later. */
async function untilRightForGood(look: () => Promise<string[]>): Promise<string[]> {
  const wrong = await untilRight(look);
  if (wrong.length > 0) return wrong;
  await delay(AFTERMATH_MS);
  return look();
}

async function wrongCounts({ counted, jobIds, steady, overBus }: NodesLoad): Promise<string[]> {
  const jobs = await listAll(counted.api, counted.companyId);
  const ofThese = jobs.filter(({ id }) => jobIds.includes(id));
  return compareCounts(totalsOf([...steady.events, ...overBus]), ofThese);
}

async function compareMade({ counted, jobIds, steady }: NodesLoad) {
  const jobs = await listAll(counted.api, counted.companyId);
  const found = Map.groupBy(jobs, ({ title }) => title);
  const lost = [...steady.made].filter(([title, id]) => found.get(title)?.[0]?.id !== id);
  const extra = jobs.filter(({ id, title }) => !jobIds.includes(id) && steady.made.get(title) !== id);
  return {
    lost: lost.map(([title, id]) => `${title}, job ${id}`),
    duplicates: extra.map(({ title, id }) => `${title}, job ${id}`),
  };
}

/** Follows the stream anew from its beginning: what an ack that got lost brings again was told once all the same. */
async function untilTold(cluster: Cluster, { journal }: NodesLoad) {
  const ledger = await followEvents(cluster, 'audit');
  try {
    const compare = () => compareTold(journal.entries.values(), ledger.told);
    await waitFor(() => compare().missing.length === 0, { ...patience, what: 'the events' }).catch(
      () => false,
    );
    await ledger.untilCalm();
    return compare();
  } finally {
    await ledger.close();
  }
}

interface Kept {
  readonly _id: number;
  readonly version: number;
}

async function replication({ mongod, nats, databasePrefix }: Cluster): Promise<Figure[]> {
  let found = 0;
  // A replica that is just taking what the leader has is not current for that moment.
  const thin = await untilRight(async () => {
    const groups = await nats.replicated();
    found = groups.length;
    return groups
      .filter(({ replicas, current }) => replicas < REPLICAS || current.length + 1 < REPLICAS)
      .map(({ name, replicas, current }) => `${name}: ${current.length + 1} of ${replicas}`);
  });
  let sizes: number[] = [];
  const differ = await untilRightForGood(async () => {
    const all = await Promise.all(
      mongod.members.map(({ read }) => read<Kept>(`${databasePrefix}jobs`, 'jobs', { version: 1 })),
    );
    sizes = all.map(({ length }) => length);
    const holders = new Map<string, number>();
    for (const { _id, version } of all.flat()) {
      const job = `job ${_id} at version ${version}`;
      holders.set(job, (holders.get(job) ?? 0) + 1);
    }
    return [...holders].filter(([, count]) => count < all.length).map(([job]) => job);
  });
  return [
    none('Streams and consumers not whole on three servers', thin, String(found)),
    atLeast('Streams and consumers found', found, 5),
    none('Jobs that differ between the three members', differ, sizes.join(', ')),
  ];
}
