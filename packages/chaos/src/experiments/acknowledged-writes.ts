import { servicesWithDatabase } from '@joblisting/contracts/permissions';
import { waitFor } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { none, note, sized } from '../figures.ts';
import { killOneByOne, killsOf, recoveryNote, timesEach, type Victim } from '../faults.ts';
import { jobWorker } from '../load/job-worker.ts';
import { createJournal } from '../load/journal.ts';
import { readBack } from '../load/read-back.ts';
import { startWorkers, underLoad } from '../load/workers.ts';
import { type Random, randomOf } from '../random.ts';
import type { Setting } from '../system/setting.ts';
import { single } from '../system/shapes.ts';
import { noneCrashed, serverVictim, serviceVictim } from '../system/victims.ts';

const WORKERS = 8;
const KILLS = { ci: 1, full: 50 };
/** For the services that most writes do not need. */
const EXTRA_KILLS = { ci: 1, full: 5 };

/** Kills the gateway, the services, NATS and MongoDB under mixed load with retries. */
export const acknowledgedWrites: Experiment = {
  name: 'acknowledged-writes',
  run: (run) =>
    run.systems.use(single, async (setting) => {
      const { fleet, world } = setting;
      const random = randomOf(run.seed);
      const journal = createJournal();
      const clients = Array.from({ length: WORKERS }, (_, index) =>
        jobWorker(world, journal, randomOf(run.seed, index + 1), `w${index}`),
      );
      const kills = victims(setting, random, sized(run, KILLS), sized(run, EXTRA_KILLS));
      const load = startWorkers(WORKERS, async (index) => clients[index]?.());
      const { failure } = load;
      const killing = { random, progress: journal.writes, say: run.say, failure };
      const killed = await underLoad(load, () => killOneByOne(kills, killing));
      await waitFor(async () => (await world.api.get('/jobtypes')).status === 200, {
        what: 'GET /jobtypes to answer 200 after the last kill',
      });
      const { lost, duplicates } = await readBack(world, journal);
      const { writes, uncertain, keyed, replays } = journal.counts;
      const of = `${writes} acknowledged, ${kills.length} kills`;
      return [
        none('Acknowledged writes lost', lost, of),
        none('Duplicate jobs', duplicates, `${journal.entries.size} jobs, ${keyed} of them by key alone`),
        none('Answers against the contract', journal.violations, of),
        noneCrashed(fleet),
        note('Kills', killsOf(kills)),
        note('Writes whose first answer was lost or 504', String(uncertain)),
        note('Answers replayed for a key', String(replays)),
        recoveryNote(killed),
      ];
    }),
};

function victims({ servers, fleet }: Setting, random: Random, kills: number, extraKills: number): Victim[] {
  const services = (...names: Parameters<typeof fleet.replicas>[0][]): Victim[] =>
    names.flatMap((name) => fleet.replicas(name).slice(0, 1).map(serviceVictim));
  const main = [
    ...services('gateway', 'jobs'),
    serverVictim('nats-server', servers.nats),
    serverVictim('mongod', servers.mongod),
  ];
  const extra = services(...servicesWithDatabase.filter((name) => name !== 'jobs'));
  return random.shuffle([...timesEach(main, kills, random), ...timesEach(extra, extraKills, random)]);
}
