import { status } from '@joblisting/contracts';
import type { Entry } from './journal.ts';
import type { ReceivedEvent } from './ledger.ts';

/** Compares events with the journal: each transition is published once, and Published and Closed alternate. */
export function compareTransitions(entries: Iterable<Entry>, events: readonly ReceivedEvent[]) {
  const byJob = Map.groupBy(events, ({ jobId }) => jobId);
  const twice: string[] = [];
  const missing: string[] = [];
  for (const [jobId, ofJob] of byJob) {
    const versions = ofJob.map(({ version }) => version);
    if (new Set(versions).size < versions.length) twice.push(`job ${jobId}: versions ${versions.join(', ')}`);
  }
  for (const { id, name, transitions, statusId } of entries) {
    const ofJob = (byJob.get(id) ?? []).toSorted((one, other) => one.version - other.version);
    const statuses = ofJob.map((event) => event.statusId);
    const alternate = statuses.every((id, index) => (id === status.published) === (index % 2 === 0));
    if (ofJob.length !== transitions || statuses.at(-1) !== statusId || !alternate) {
      missing.push(`${name}, job ${id}: published ${statuses.join(', ')} of ${transitions} transitions`);
    }
  }
  return { twice, missing };
}
