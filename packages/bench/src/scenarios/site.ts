import { randomFrom, waitFor } from '@joblisting/testing';
import { requestsTo } from '@joblisting/testing/system';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VariantFigures } from '../measure/figures.ts';
import { atLeast, ratio } from '../measure/goals.ts';
import type { Variant } from '../measure/variants.ts';
import { insertCopies } from '../seed/copy-jobs.ts';
import { startConstant } from '../system/baseline.ts';
import { groupsOfBaseline } from '../system/product.ts';
import { AT_ONCE } from './product.ts';
import { type Bench, compare, type Scenario } from './scenario.ts';

const READ_LIMIT_MS = 5 * 60_000;
const PAGES_PER_SECOND = 1000;
/** Copies of a posting have ids far above those of jobs. */
const COPY_STEP = 10_000_000;

interface StoredPosting {
  readonly _id: number;
  readonly state: string;
}

/** Makes the site read the published jobs anew, then copies its open postings until there are `total`; resolves to their ids. */
async function fillSite({ servers, seeded: { product } }: Bench, total: number): Promise<number[]> {
  await product.stop(['site']);
  return servers.mongod.withDatabase(`${product.databasePrefix}site`, async (database) => {
    const refreshes = database.collection('refreshes');
    await refreshes.deleteMany({});
    await product.start(['site']);
    await waitFor(() => refreshes.findOne({ after: 0, nextAt: { $gt: new Date() } }), {
      limitMs: READ_LIMIT_MS,
      everyMs: 500,
      what: 'the site to have read all published jobs',
    });
    const postings = database.collection<StoredPosting>('postings');
    const open = await postings.find({ state: 'open' }).toArray();
    const copyAt = (offset: number): StoredPosting => {
      const original = open[offset % open.length] as StoredPosting;
      return { ...original, _id: original._id + COPY_STEP * (1 + Math.floor(offset / open.length)) };
    };
    const missing = Math.max(0, total - open.length);
    await insertCopies(postings, missing, copyAt);
    return [
      ...open.map(({ _id }) => _id),
      ...Array.from({ length: missing }, (_, index) => copyAt(index)._id),
    ];
  });
}

const searches = {
  'newest jobs': '/',
  'search by two words': '/?q=senior+nurse',
  'search by place and type': '/?where=Utrecht&type=Full-time',
} as const;

/** Compares pages of the site with a server of constants of the same size. */
export const site: Scenario = {
  name: 'site',
  run: async (bench) => {
    const ids = await fillSite(bench, bench.sizes.jobs);
    const origin = bench.seeded.product.replicas('site')[0]?.healthUrl as string;
    const random = randomFrom(3);
    const oneJob = `/Share/Job${ids[0]}`;
    const paths = { 'one job': oneJob, ...searches };
    const answers = await Promise.all(
      Object.values(paths).map(async (path) => [path, await (await fetch(origin + path)).text()]),
    );
    const file = join(bench.servers.directory, 'pages.json');
    await writeFile(file, JSON.stringify(answers));
    const constant = await startConstant(bench.servers, file);

    const pages = requestsTo(origin);
    const product = (name: string, reference: string, next: () => string): Variant => ({
      name,
      reference,
      origin,
      connections: AT_ONCE,
      status: 200,
      serving: ['site'],
      next,
    });
    const variants = Object.entries(paths).flatMap(([what, path]): Variant[] => {
      const reference = `${what}, constant`;
      const [ofConstant, ofProduct] = [requestsTo(constant.origin).get(path), pages.get(path)];
      return [
        {
          ...product(reference, reference, () => ofConstant),
          origin: constant.origin,
          serving: ['constant'],
        },
        product(what, reference, () => ofProduct),
      ];
    });
    const anyJob = product('any job', 'one job, constant', () =>
      pages.get(`/Share/Job${ids[random.below(ids.length)]}`),
    );
    try {
      const groups = [...bench.groups, ...groupsOfBaseline(constant)];
      const figures = await compare({ ...bench, groups }, [...variants, anyJob]);
      const [ofConstant, ofJob] = figures as unknown as [VariantFigures, VariantFigures];
      return {
        variants: figures,
        goals: [atLeast('pages of one job', ofJob.perSecond, PAGES_PER_SECOND, 'per second')],
        notes: [
          {
            what: 'one job, CPU to a constant',
            measured: ratio(ofJob.services, ofConstant.services),
            unit: '×',
          },
        ],
      };
    } finally {
      await constant.stop();
    }
  },
};
