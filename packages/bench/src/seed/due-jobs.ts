import { randomFrom } from '@joblisting/testing';
import { dateIn } from '@joblisting/testing/system';
import type { Servers } from '../system/servers.ts';
import { postBody } from './bodies.ts';
import { copyOf, insertJobs } from './copy-jobs.ts';
import type { Seeded } from './seed.ts';
import type { StoredJob } from './stored-shape.ts';
import { createTemplates, type Template } from './templates.ts';

const FIRST_ID = 1_500_000_000;
const TEMPLATES = 10;
/** The two companies whose lists are compared get no due jobs. */
const FIRST_COMPANY = 2;

/** The ids of all jobs that `copyDueJobs` inserts. */
export const dueIds = { _id: { $gte: FIRST_ID } };

/** Half of them are published at tomorrow's noon, and half are closed (spec, "Transitions"). */
const datesOf = (index: number) =>
  index % 2 === 0 ? { publishInDays: 2, closeInDays: null } : { publishInDays: -29, closeInDays: 1 };

/**
 * Inserts jobs that are due at tomorrow's 12:00 UTC, half of them of one company, and returns that instant in epoch
 * milliseconds. Stops the jobs service and the scheduler.
 */
export async function copyDueJobs(servers: Servers, seeded: Seeded, count: number): Promise<number> {
  const { product, world } = seeded;
  const { spare, companies } = world;
  const random = randomFrom(6);
  const bodies = Array.from({ length: TEMPLATES }, (_, index) =>
    postBody(random, { companyId: spare.id, format: 'text', ...datesOf(index) }),
  );
  const templates = await createTemplates(servers, product, spare, { name: 'due', bodies });
  await product.stop(['jobs', 'scheduler']);
  const copyAt = (index: number): StoredJob => {
    const { stored } = templates[index % TEMPLATES] as Template;
    // Ten in a row, so that each company gets both kinds.
    const ten = Math.floor(index / TEMPLATES);
    const other = companies[FIRST_COMPANY + (ten % (companies.length - FIRST_COMPANY))] ?? spare;
    return copyOf(stored, FIRST_ID + index, ten % 2 === 0 ? spare : other);
  };
  await insertJobs(servers, product, count, copyAt);
  return Date.parse(`${dateIn(1)}T12:00:00Z`);
}
