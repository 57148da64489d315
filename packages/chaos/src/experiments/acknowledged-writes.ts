import { waitFor } from '@joblisting/testing';
import { type Experiment, none, note, sized } from '../experiment.ts';
import { killInTurn, timesEach } from '../faults.ts';
import { jobWorker } from '../load/job-worker.ts';
import { listAll } from '../load/jobs.ts';
import { createJournal, type Journal } from '../load/journal.ts';
import { startWorkers } from '../load/workers.ts';
import { randomOf } from '../random.ts';
import { quantile } from '../statistics.ts';
import { withSetting } from '../system/setting.ts';
import { endedByThemselves, serverVictim, serviceVictim } from '../system/victims.ts';
import type { World } from '../system/world.ts';

const WORKERS = 8;

/** `kill -9` of the gateway, the jobs service, NATS and MongoDB under mixed load with retries. */
export const acknowledgedWrites: Experiment = {
  name: 'acknowledged-writes',
  run: (run) =>
    withSetting({}, async ({ servers, fleet, world }) => {
      const random = randomOf(run.seed);
      const journal = createJournal();
      const clients = Array.from({ length: WORKERS }, (_, index) =>
        jobWorker(world, journal, randomOf(run.seed, index + 1), `w${index}`),
      );
      const load = startWorkers(WORKERS, async (index) => clients[index]?.());
      const victims = [
        ...[...fleet.replicas('gateway'), ...fleet.replicas('jobs')].map(serviceVictim),
        serverVictim('nats-server', servers.nats),
        serverVictim('mongod', servers.mongod),
      ];
      const kills = timesEach(victims, sized(run, { ci: 2, full: 50 }), random);
      let recoveries: number[];
      try {
        const { failure } = load;
        recoveries = await killInTurn(kills, { random, progress: journal.writes, say: run.say, failure });
      } finally {
        await load.stop();
      }
      await waitFor(async () => (await world.api.get('/jobtypes')).status === 200, { what: 'the system' });
      const ended = endedByThemselves(fleet.all);
      const { lost, duplicates } = await readBack(world, journal);
      const of = `${journal.writes()} acknowledged, ${kills.length} kills`;
      return [
        none('Acknowledged writes lost', lost, of),
        none('Duplicate jobs', duplicates, of),
        none('Answers against the contract', journal.violations, of),
        none('Processes that gave up', ended, String(fleet.all.length)),
        note('Writes whose first answer was lost or 504', String(journal.uncertain())),
        note('Recovery after a kill, median and worst', inMs(recoveries)),
      ];
    }),
};

const inMs = (values: readonly number[]): string =>
  `${quantile(values, 0.5).toFixed(0)} ms, ${quantile(values, 1).toFixed(0)} ms`;

/** Compares everything that the service has with everything that was acknowledged. */
async function readBack({ api, companyId }: World, journal: Journal) {
  const lost: string[] = [];
  const duplicates: string[] = [];
  const found = new Set<string>();
  for (const { referenceId, id, title, status } of await listAll(api, companyId)) {
    const reference = referenceId ?? `job ${id} without reference`;
    const entry = journal.entries.get(reference);
    if (found.has(reference) || !entry) duplicates.push(reference);
    else if (!entry.exists) lost.push(`DELETE of ${reference}`);
    else if (entry.id !== id) duplicates.push(`${reference} is ${id} and ${entry.id}`);
    else if (entry.title !== title || entry.statusId !== status.id) lost.push(`change of ${reference}`);
    found.add(reference);
  }
  for (const { referenceId, exists } of journal.entries.values()) {
    if (exists && !found.has(referenceId)) lost.push(referenceId);
  }
  return { lost, duplicates };
}
