import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@joblisting/testing';
import { atLeast, type Figure, none, note } from '../figures.ts';
import type { Cluster } from '../system/cluster.ts';
import { compareCounts, totalsOf } from './events.ts';
import { listAll } from './jobs.ts';
import { followEvents } from './ledger.ts';
import type { NodesLoad } from './nodes-load.ts';
import { readBack } from './read-back.ts';
import { compareTransitions } from './compare-transitions.ts';
import { untilNone } from './until-none.ts';

const PATIENCE = { limitMs: 60_000, everyMs: 500 };
/** After this time an event that is counted twice would show. */
const AFTERMATH_MS = 2500;
const REPLICAS = 3;

/** Compares the data of a cluster, when all nodes run again, with the acknowledged writes. */
export async function auditNodes(cluster: Cluster, load: NodesLoad): Promise<Figure[]> {
  await Promise.all([cluster.mongod.untilHealthy(), cluster.nats.untilHealthy()]);
  const { journal, steady, overBus } = load;
  const counts = await untilStaysRight(() => wrongCounts(load));
  const created = await compareCreated(load);
  const { lost, duplicates } = await readBack(load.journaled, journal);
  const { twice, missing } = await untilPublished(cluster, load);
  const { writes, uncertain, keyed, replays } = journal.counts;
  const of = `${writes + steady.made.size} acknowledged`;
  const events = steady.events.length + overBus.length;
  return [
    none('Acknowledged writes lost', [...lost, ...created.lost], of),
    none(
      'Duplicate jobs',
      [...duplicates, ...created.duplicates],
      `${journal.entries.size + steady.made.size} jobs, ${keyed + steady.made.size} of them by key alone`,
    ),
    none('Answers against the contract', [...journal.violations, ...steady.odd], of),
    none(
      'Counts that differ from the distinct ids',
      counts,
      `${events} events, ${overBus.length} of them over the bus`,
    ),
    none('Transitions published twice', twice, `${journal.entries.size} jobs`),
    none('Transitions not published', missing, `${journal.entries.size} jobs`),
    ...(await replication(cluster)),
    note('Writes whose first answer was lost or 504', String(uncertain)),
    note('Answers replayed for a key', String(replays)),
  ];
}

const untilRight = (findWrong: () => Promise<string[]>): Promise<readonly string[]> =>
  untilNone(findWrong, { ...PATIENCE, what: 'the data to be right' });

/** Checks until nothing is wrong, and once more later. */
async function untilStaysRight(findWrong: () => Promise<string[]>): Promise<readonly string[]> {
  const wrong = await untilRight(findWrong);
  if (wrong.length > 0) return wrong;
  await delay(AFTERMATH_MS);
  return findWrong();
}

async function wrongCounts({ counted, jobIds, steady, overBus }: NodesLoad): Promise<string[]> {
  const jobs = await listAll(counted.api, counted.companyId);
  const ofThese = jobs.filter(({ id }) => jobIds.includes(id));
  return compareCounts(totalsOf([...steady.events, ...overBus]), ofThese);
}

async function compareCreated({ counted, jobIds, steady }: NodesLoad) {
  const jobs = await listAll(counted.api, counted.companyId);
  const found = Map.groupBy(jobs, ({ title }) => title);
  const lost = [...steady.made].filter(([title, id]) => found.get(title)?.[0]?.id !== id);
  const extra = jobs.filter(({ id, title }) => !jobIds.includes(id) && steady.made.get(title) !== id);
  return {
    lost: lost.map(([title, id]) => `${title}, job ${id}`),
    duplicates: extra.map(({ title, id }) => `${title}, job ${id}`),
  };
}

/** Reads the stream from its start, so that a redelivery does not count as a second event. */
async function untilPublished(cluster: Cluster, { journal }: NodesLoad) {
  const ledger = await followEvents(cluster, 'audit');
  try {
    const compare = () => compareTransitions(journal.entries.values(), ledger.received);
    await waitFor(() => compare().missing.length === 0, { ...PATIENCE, what: 'the events' }).catch(
      () => false,
    );
    await ledger.untilQuiet();
    return compare();
  } finally {
    await ledger.close();
  }
}

interface StoredVersion {
  readonly _id: number;
  readonly version: number;
}

async function replication({ mongod, nats, databasePrefix }: Cluster): Promise<Figure[]> {
  let found = 0;
  // A replica is not current while it copies from the leader.
  const incomplete = await untilRight(async () => {
    const groups = await nats.replicated();
    found = groups.length;
    return groups
      .filter(({ replicas, current }) => replicas < REPLICAS || current.length + 1 < REPLICAS)
      .map(({ name, replicas, current }) => `${name}: ${current.length + 1} of ${replicas}`);
  });
  let sizes: number[] = [];
  const differ = await untilStaysRight(async () => {
    const all = await Promise.all(
      mongod.members.map(({ read }) => read<StoredVersion>(`${databasePrefix}jobs`, 'jobs', { version: 1 })),
    );
    sizes = all.map(({ length }) => length);
    const copies = new Map<string, number>();
    for (const { _id, version } of all.flat()) {
      const job = `job ${_id} at version ${version}`;
      copies.set(job, (copies.get(job) ?? 0) + 1);
    }
    return [...copies].filter(([, count]) => count < all.length).map(([job]) => job);
  });
  return [
    none('Streams and consumers not complete on three servers', incomplete, String(found)),
    atLeast('Streams and consumers found', found, 5),
    none('Jobs that differ between the three members', differ, sizes.join(', ')),
  ];
}
