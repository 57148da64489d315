import { dateIn } from '@joblisting/e2e/harness';
import type { Seeded } from './seed.ts';
import type { Servers } from '../system/servers.ts';
import { postBody } from './bodies.ts';
import { copyOf, insertCopies } from './copy-jobs.ts';
import { makeTemplates, type StoredJob, type Template } from './templates.ts';
import { randomFrom } from './texts.ts';

const FIRST_ID = 1_500_000_000;
const TEMPLATES = 10;
/** The largest company and the one to compare it with get none. */
const FIRST_COMPANY = 2;

const PUBLISHED = 1;
const CLOSED = 2;
const PENDING = 3;

export interface DueJobs {
  /** When they are due, epoch milliseconds: tomorrow's 12:00 UTC. */
  readonly noon: number;
  /** Of the company that is read meanwhile: status before and after, by id. */
  readonly read: ReadonlyMap<number, { readonly before: number; readonly after: number }>;
}

/** Half of them are published at that noon, and half are closed (spec, "Transitions"). */
const kindOf = (index: number) =>
  index % 2 === 0
    ? { publishInDays: 2, closeInDays: null, before: PENDING, after: PUBLISHED }
    : { publishInDays: -29, closeInDays: 1, before: PUBLISHED, after: CLOSED };

/** Fills in jobs that are due at one noon, half of them of one company. The jobs service stops for it. */
export async function copyDueJobs(servers: Servers, seeded: Seeded, count: number): Promise<DueJobs> {
  const { product, world } = seeded;
  const { aside, companies } = world;
  const random = randomFrom(6);
  const bodies = Array.from({ length: TEMPLATES }, (_, index) =>
    postBody(random, { companyId: aside.id, format: 'text', ...kindOf(index) }),
  );
  const templates = await makeTemplates(servers, product, aside, { name: 'due', bodies });
  await product.stop(['jobs', 'scheduler']);
  const read = new Map<number, { before: number; after: number }>();
  const copyAt = (index: number): StoredJob => {
    const template = templates[index % TEMPLATES] as Template;
    const id = FIRST_ID + index;
    // By tens: each company gets all kinds.
    const isRead = Math.floor(index / TEMPLATES) % 2 === 0;
    if (isRead) read.set(id, kindOf(index % TEMPLATES));
    const other =
      companies[FIRST_COMPANY + (Math.floor(index / TEMPLATES) % (companies.length - FIRST_COMPANY))];
    return copyOf(template.stored, id, isRead ? aside : (other ?? aside));
  };
  await servers.mongod.withDatabase(`${product.databasePrefix}jobs`, async (database) => {
    await insertCopies(database.collection<StoredJob>('jobs'), count, copyAt);
  });
  return { noon: Date.parse(`${dateIn(1)}T12:00:00Z`), read };
}

/** The ids of all that `copyDueJobs` filled in. */
export const dueIds = { _id: { $gte: FIRST_ID } };
