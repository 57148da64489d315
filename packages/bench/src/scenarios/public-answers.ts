import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { requestsTo } from '../load/requests.ts';
import type { Arm } from '../measure/arms.ts';
import { atMost, ratio } from '../measure/goals.ts';
import type { ArmFigures } from '../measure/figures.ts';
import { startConstant } from '../system/baseline.ts';
import { AT_ONCE } from './product-arms.ts';
import type { Scenario } from './scenario.ts';
import { sideBySide } from './side-by-side.ts';

/** What anyone may read, by what it is called. */
const paths = {
  'GET category': '/v1.0/jobcategories/1',
  'system categories': '/v1.0/jobcategories',
  'job types': '/v1.0/jobtypes',
  countries: '/v1.0/countries',
  provinces: '/v1.0/provinces?country.id=840',
} as const;

/** Each against a server that has nothing but that one answer, with the same plugins and logs. */
export const publicAnswers: Scenario = {
  name: 'public',
  run: async (bench) => {
    const { product } = bench.seeded;
    const answers = await Promise.all(
      Object.values(paths).map(async (path) => [path, await (await fetch(product.origin + path)).text()]),
    );
    const file = join(bench.servers.directory, 'answers.json');
    await writeFile(file, JSON.stringify(answers));
    const constant = await startConstant(bench.servers, file);
    const armsOf = (origin: string, kind: string, serving: readonly string[]): Arm[] =>
      Object.entries(paths).map(([what, path]) => {
        const request = requestsTo(origin).get(path);
        return {
          name: `${what}, ${kind}`,
          origin,
          connections: AT_ONCE,
          status: 200,
          serving,
          next: () => request,
          reference: `${what}, constant`,
        };
      });
    const constants = armsOf(constant.origin, 'constant', ['constant']);
    const ours = armsOf(product.origin, 'product', ['gateway', 'categories', 'jobs']);
    try {
      const group = { name: 'constant', pids: () => constant.processes.map(({ pid }) => pid) };
      const arms = await sideBySide(
        bench,
        constants.flatMap((arm, place) => [arm, ours[place] as Arm]),
        [group],
      );
      const goals = Object.keys(paths).map((what, place) => {
        const [reference, answer] = arms.slice(2 * place, 2 * place + 2) as [ArmFigures, ArmFigures];
        return atMost(`${what}: CPU of all services`, ratio(answer.services, reference.services), 1.2);
      });
      return { arms, goals };
    } finally {
      await constant.stop();
    }
  },
};
