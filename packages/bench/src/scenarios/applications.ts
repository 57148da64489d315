import { randomFrom } from '@joblisting/testing';
import { requestsTo } from '@joblisting/testing/system';
import { atMost, ratio } from '../measure/goals.ts';
import { withPeak } from '../measure/peak.ts';
import { memoryNow } from '../measure/processes.ts';
import type { Variant } from '../measure/variants.ts';
import { applicationForms, FORM_TYPE } from '../seed/application-forms.ts';
import { postBody } from '../seed/bodies.ts';
import { createTemplates, type Template } from '../seed/templates.ts';
import { type Baseline, startPlainUpload } from '../system/baseline.ts';
import { groupsOfBaseline } from '../system/product.ts';
import { AT_ONCE } from './product.ts';
import { type Bench, compare, longer, type Scenario } from './scenario.ts';

const PDF_BYTES = 200_000;
const RECIPIENTS = ['recruiting@example.com', 'team@example.com'];
const MAX_RATIO = 2;
/** Of GridFS, in the database of the baseline and of the product. */
const CHUNKS = 'files.chunks';
/** Services whose peak memory is reported. */
const REPORTED: readonly string[] = ['gateway', 'applications'];

/** Creates a job that takes applications, and returns its id. */
async function createOpenJob({ servers, seeded: { product, world } }: Bench): Promise<number> {
  const { spare } = world;
  const options = { companyId: spare.id, format: 'text', publishInDays: -1, closeInDays: 30 } as const;
  const body = { ...postBody(randomFrom(12), options), applicationEmails: RECIPIENTS };
  const [job] = await createTemplates(servers, product, spare, { name: 'applications', bodies: [body] });
  return Number((job as Template).shown['id']);
}

/** Otherwise the files would fill MongoDB's cache in later scenarios. */
async function dropFiles({ servers: { mongod }, seeded }: Bench, plainDatabase: string): Promise<void> {
  for (const name of [plainDatabase, `${seeded.product.databasePrefix}applications`]) {
    await mongod.withDatabase(name, (database) => database.dropCollection(CHUNKS));
  }
}

/** Plain upload and product send the forms of one sequence. */
function variantsOf({ seeded: { product, world } }: Bench, plain: Baseline, jobId: number) {
  const nextForm = applicationForms(PDF_BYTES);
  const plainRequests = requestsTo(plain.origin);
  const requests = world.searchSites.map((keys) => requestsTo(product.origin, keys));
  let turn = 0;
  const nextToPlain = () => plainRequests.postBytes('/applications', nextForm(), FORM_TYPE);
  const nextToProduct = () => {
    const { postBytes } = requests[turn++ % requests.length] as ReturnType<typeof requestsTo>;
    return postBytes(`/v1.0/jobs/${jobId}/applications`, nextForm(), FORM_TYPE);
  };
  return (connections: number, what: string): [Variant, Variant] => {
    const reference = `plain upload, ${what}`;
    const load = { connections, status: 201, reference };
    return [
      { ...load, name: reference, origin: plain.origin, serving: ['plain-upload'], next: nextToPlain },
      {
        ...load,
        name: `product, ${what}`,
        origin: product.origin,
        serving: ['gateway', 'applications', 'jobs'],
        next: nextToProduct,
      },
    ];
  };
}

/** Applications with a PDF, against a form parser that stores file and document with the same write concern. */
export const applications: Scenario = {
  name: 'applications',
  run: async (shared) => {
    const { servers, seeded } = shared;
    const jobId = await createOpenJob(shared);
    const plainDatabase = `${seeded.product.databasePrefix}plain-upload`;
    const plain = await startPlainUpload(servers, plainDatabase);
    try {
      const bench = longer({ ...shared, groups: [...shared.groups, ...groupsOfBaseline(plain)] });
      const variants = variantsOf(bench, plain, jobId);
      const reported = bench.groups.filter(({ name }) => REPORTED.includes(name));
      const { result: atOnce, peak } = await withPeak(
        () => memoryNow(reported),
        () => compare(bench, variants(AT_ONCE, `${AT_ONCE} connections`)),
      );
      const alone = await compare(bench, variants(1, 'one connection'));
      const [plainAtOnce, productAtOnce] = atOnce;
      return {
        variants: [...atOnce, ...alone],
        goals: [
          atMost(
            `CPU of services, ${AT_ONCE} connections`,
            ratio(productAtOnce.services, plainAtOnce.services),
            MAX_RATIO,
          ),
        ],
        notes: REPORTED.map((name) => ({
          what: `peak memory of ${name}, ${AT_ONCE} connections`,
          measured: peak[name] ?? 0,
          unit: 'MB',
        })),
      };
    } finally {
      await plain.stop();
      await dropFiles(shared, plainDatabase);
    }
  },
};
