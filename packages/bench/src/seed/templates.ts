import { createClient } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { Product } from '../system/product.ts';
import type { Servers } from '../system/servers.ts';
import type { BenchCompany } from '../system/world.ts';
import { isLinkPending, type StoredJob } from './stored-shape.ts';

export interface Template {
  readonly stored: StoredJob;
  /** As the API shows it. */
  readonly shown: Readonly<Record<string, unknown>>;
}

type Body = Readonly<Record<string, unknown>>;

const AT_ONCE = 16;
/** Not executed, or perhaps executed. */
const UNDECIDED = new Set([503, 504]);

/**
 * Creates jobs over HTTP and waits until they have their short links. References with `name` make retries on a busy
 * machine harmless.
 */
export async function createTemplates(
  servers: Servers,
  product: Product,
  company: BenchCompany,
  { name, bodies }: { readonly name: string; readonly bodies: readonly Body[] },
): Promise<Template[]> {
  const api = createClient(product.origin, company.keys);
  const created = new Map<number, { index: number; shown: Body }>();
  const create = async (index: number): Promise<void> => {
    const send = async () => {
      const answer = await api.put('/jobs', { ...bodies[index], referenceId: `${name}-${index}` });
      return UNDECIDED.has(answer.status) ? undefined : answer;
    };
    const answer = await waitFor(send, { limitMs: 60_000, everyMs: 200, what: 'the creation of a template' });
    if (answer.status > 201) throw new Error(`a template answered ${answer.status}: ${answer.text}`);
    created.set(Number(answer.json.data.id), { index, shown: answer.json.data });
  };
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, bodies.length - from);
    await Promise.all(Array.from({ length }, (_, index) => create(from + index)));
  }
  const allLinked = async (): Promise<StoredJob[] | undefined> => {
    const jobs = await servers.mongod.withDatabase(`${product.databasePrefix}jobs`, (database) =>
      database
        .collection<StoredJob>('jobs')
        .find({ _id: { $in: [...created.keys()] } })
        .toArray(),
    );
    return jobs.some(isLinkPending) ? undefined : jobs;
  };
  const stored = await waitFor(allLinked, {
    limitMs: 60_000,
    everyMs: 200,
    what: 'the short links of the templates',
  });
  const templates: Template[] = [];
  for (const job of stored) {
    const { index, shown } = created.get(job._id) as { index: number; shown: Body };
    templates[index] = { stored: job, shown };
  }
  return templates;
}
