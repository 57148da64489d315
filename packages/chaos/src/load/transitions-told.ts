import type { Entry } from './journal.ts';
import type { Told } from './ledger.ts';

const PUBLISHED = 1;

/** What is wrong with the events about these jobs: each transition must be told once, and they take turns. */
export function compareTold(entries: Iterable<Entry>, told: readonly Told[]) {
  const byJob = Map.groupBy(told, ({ jobId }) => jobId);
  const twice: string[] = [];
  const missing: string[] = [];
  for (const [jobId, events] of byJob) {
    const versions = events.map(({ version }) => version);
    if (new Set(versions).size < versions.length) twice.push(`job ${jobId}: versions ${versions.join(', ')}`);
  }
  for (const { id, name, transitions, statusId } of entries) {
    const events = (byJob.get(id) ?? []).toSorted((one, other) => one.version - other.version);
    const statuses = events.map((event) => event.statusId);
    const takeTurns = statuses.every((status, index) => (status === PUBLISHED) === (index % 2 === 0));
    if (events.length !== transitions || statuses.at(-1) !== statusId || !takeTurns) {
      missing.push(`${name}, job ${id}: told ${statuses.join(', ')}; ${transitions} came`);
    }
  }
  return { twice, missing };
}
