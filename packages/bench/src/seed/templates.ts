import { createClient } from '@joblisting/e2e/harness';
import { waitFor } from '@joblisting/testing';
import type { Product } from '../system/product.ts';
import type { Servers } from '../system/servers.ts';
import type { BenchCompany } from '../system/world.ts';
import { templateBody } from './bodies.ts';
import { randomFrom } from './texts.ts';

/** A job as the service has stored it, whatever shape that has. */
export type StoredJob = Readonly<Record<string, unknown>> & { readonly _id: number };

export interface Template {
  readonly stored: StoredJob;
  /** As the API shows it. */
  readonly shown: Readonly<Record<string, unknown>>;
}

const AT_ONCE = 16;
/** Not done, or not known whether it is. */
const UNDECIDED = new Set([503, 504]);
const SEED = 20_260_101;

/** Makes jobs over HTTP and waits until the service has done all it does about them. */
export async function makeTemplates(
  servers: Servers,
  product: Product,
  company: BenchCompany,
  count: number,
): Promise<Template[]> {
  const api = createClient(product.origin, company.keys);
  const shown = new Map<number, { index: number; data: Record<string, unknown> }>();
  const make = async (index: number): Promise<void> => {
    const body = templateBody(randomFrom(SEED + index), company.id, index, count);
    // By its reference, so that it can be sent again where a busy machine was too slow.
    const send = async () => {
      const answer = await api.put('/jobs', { ...body, referenceId: `template-${index}` });
      return UNDECIDED.has(answer.status) ? undefined : answer;
    };
    const answer = await waitFor(send, { limitMs: 60_000, everyMs: 200, what: 'a template to be taken' });
    if (answer.status > 201) throw new Error(`a template answered ${answer.status}: ${answer.text}`);
    shown.set(Number(answer.json.data.id), { index, data: answer.json.data });
  };
  for (let from = 0; from < count; from += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - from);
    await Promise.all(Array.from({ length }, (_, index) => make(from + index)));
  }
  const calm = async (): Promise<StoredJob[] | undefined> => {
    const jobs = await servers.mongod.read<StoredJob>(`${product.databasePrefix}jobs`, 'jobs');
    const waits = jobs.some(({ events, linkPending }) => (events as unknown[])?.length > 0 || linkPending);
    return waits ? undefined : jobs;
  };
  const stored = await waitFor(calm, { limitMs: 30_000, everyMs: 200, what: 'the templates to be told of' });
  const templates: Template[] = [];
  for (const job of stored) {
    const { index, data } = shown.get(job._id) ?? {};
    if (index !== undefined && data !== undefined) templates[index] = { stored: job, shown: data };
  }
  return templates;
}
