import type { Setting } from '../system/setting.ts';
import { type DueJob, makeDueJobs } from './due-jobs.ts';
import { untilLinked } from './stored-jobs.ts';

const TEMPLATES = 30;
const CHUNK = 5000;
/** Above all ids that the service assigns in an experiment. */
const FIRST_ID = 1_000_000_000;
/** The part of the jobs that belongs to the company of the readers. */
const SHARE_OF_READER = 0.5;
const OTHER_COMPANIES = 50;

type Stored = Record<string, unknown> & { readonly _id: number };

/**
 * Creates jobs that are due at noon of `day`: a few over HTTP, and the rest as copies in the database, because HTTP
 * would take too long. There are no events for the creation of copies.
 */
export async function cloneDueJobs(
  { servers, world }: Setting,
  count: number,
  day: string,
): Promise<{ all: DueJob[]; ofReader: DueJob[] }> {
  const templates = await makeDueJobs(world, TEMPLATES, day);
  await untilLinked(servers, new Set(templates.map(({ id }) => id)));
  const copies: DueJob[] = [];
  const others = (count - TEMPLATES) * (1 - SHARE_OF_READER);
  await servers.mongod.withDatabase(`${servers.databasePrefix}jobs`, async (database) => {
    const jobs = database.collection<Stored>('jobs');
    const stored = new Map((await jobs.find().toArray()).map((job) => [job._id, job]));
    const copy = (index: number): Stored => {
      const template = templates[index % TEMPLATES] as DueJob;
      const id = FIRST_ID + index;
      copies.push({ ...template, id });
      const { change: _change, counted: _counted, ...rest } = stored.get(template.id) as Stored;
      const company = index < others ? { companyId: FIRST_ID + (index % OTHER_COMPANIES) } : {};
      return { ...rest, ...company, _id: id, referenceId: `copy-${index}`, uncounted: true };
    };
    for (let from = 0; from < count - TEMPLATES; from += CHUNK) {
      const length = Math.min(CHUNK, count - TEMPLATES - from);
      await jobs.insertMany(
        Array.from({ length }, (_, index) => copy(from + index)),
        { ordered: false },
      );
    }
  });
  return { all: [...templates, ...copies], ofReader: [...templates, ...copies.slice(Math.ceil(others))] };
}
