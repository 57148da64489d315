import { inspect } from 'node:util';
import type { Result } from './measure/result.ts';
import type { Options } from './options.ts';
import type { Bench, Scenario } from './scenarios/scenario.ts';
import { seed } from './seed/seed.ts';
import { startPlainBus } from './system/baseline.ts';
import { groupsOf } from './system/product.ts';
import { startServers } from './system/servers.ts';

type Say = (line: string) => void;

/** Seeds a product, starts the plain bus beside it, and runs the scenarios. A scenario that fails is reported and left out. */
export async function run(
  scenarios: readonly Scenario[],
  { sizes, postingsFile }: Options,
  say: Say,
): Promise<Result[]> {
  const results: Result[] = [];
  const servers = await startServers();
  try {
    say(`Seeding ${sizes.jobs} jobs of ${sizes.companies} companies`);
    const seeded = await seed(servers, sizes, { withPlain: true });
    const plainBus = await startPlainBus(servers, seeded.plainDatabase);
    const groups = groupsOf(servers, seeded.product, plainBus);
    const bench: Bench = { sizes, servers, seeded, plainBus, groups, postingsFile, say };
    try {
      for (const scenario of scenarios) {
        const since = performance.now();
        say(`${scenario.name} starts`);
        const findings = await scenario.run(bench).catch((error: unknown) => {
          say(`${scenario.name} failed: ${inspect(error)}`);
          return {};
        });
        const seconds = (performance.now() - since) / 1000;
        results.push({
          scenario: scenario.name,
          seconds,
          variants: [],
          goals: [],
          notes: [],
          ...findings,
        });
      }
    } finally {
      await Promise.all([plainBus.stop(), seeded.product.stop()]);
    }
  } finally {
    await servers.stop();
  }
  return results;
}
