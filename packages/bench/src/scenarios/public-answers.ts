import { requestsTo } from '@joblisting/testing/system';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VariantFigures } from '../measure/figures.ts';
import { atMost, ratio } from '../measure/goals.ts';
import type { Variant } from '../measure/variants.ts';
import { startConstant } from '../system/baseline.ts';
import { groupsOfBaseline } from '../system/product.ts';
import { AT_ONCE } from './product.ts';
import { compare, type Scenario } from './scenario.ts';

const paths = {
  'GET category': '/v1.0/jobcategories/1',
  'system categories': '/v1.0/jobcategories',
  'job types': '/v1.0/jobtypes',
  countries: '/v1.0/countries',
  provinces: '/v1.0/provinces?country.id=840',
} as const;

/** Compares each public answer with a server of constants that has the same plugins and logs. */
export const publicAnswers: Scenario = {
  name: 'public',
  run: async (bench) => {
    const { origin } = bench.seeded.product;
    const answers = await Promise.all(
      Object.values(paths).map(async (path) => [path, await (await fetch(origin + path)).text()]),
    );
    const file = join(bench.servers.directory, 'answers.json');
    await writeFile(file, JSON.stringify(answers));
    const constant = await startConstant(bench.servers, file);
    const variants = Object.entries(paths).flatMap(([what, path]): Variant[] => {
      const reference = `${what}, constant`;
      const load = { connections: AT_ONCE, status: 200, reference };
      const [ofConstant, ofProduct] = [requestsTo(constant.origin).get(path), requestsTo(origin).get(path)];
      return [
        { ...load, name: reference, origin: constant.origin, serving: ['constant'], next: () => ofConstant },
        {
          ...load,
          name: `${what}, product`,
          origin,
          serving: ['gateway', 'categories', 'jobs'],
          next: () => ofProduct,
        },
      ];
    });
    try {
      const groups = [...bench.groups, ...groupsOfBaseline(constant)];
      const figures = await compare({ ...bench, groups }, variants);
      const goals = Object.keys(paths).map((what, index) => {
        const [reference, product] = figures.slice(2 * index) as [VariantFigures, VariantFigures];
        return atMost(`${what}: CPU of services`, ratio(product.services, reference.services), 1.2);
      });
      return { variants: figures, goals };
    } finally {
      await constant.stop();
    }
  },
};
