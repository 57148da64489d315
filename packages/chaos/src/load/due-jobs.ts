import { inParallel } from '@joblisting/testing';
import { jobBody } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';
import { dayAfter } from './noon.ts';

const PUBLISHED = 1;
const CLOSED = 2;
const PENDING = 3;
const AT_ONCE = 12;

/** A job that changes at a noon. */
export interface DueJob {
  readonly id: number;
  /** Status before and after the noon. */
  readonly before: number;
  readonly after: number;
}

interface Kind extends Omit<DueJob, 'id'> {
  readonly dates: (day: string) => { publishDate: string; closeDate: string | null };
}

/** A publishDate takes effect at noon of the day before, a closeDate at noon of its day (spec, "Transitions"). */
const kinds: readonly Kind[] = [
  {
    dates: (day) => ({ publishDate: dayAfter(day, 1), closeDate: null }),
    before: PENDING,
    after: PUBLISHED,
  },
  {
    dates: (day) => ({ publishDate: dayAfter(day, -30), closeDate: day }),
    before: PUBLISHED,
    after: CLOSED,
  },
  {
    // Published and closed by the same noon: it was never open.
    dates: (day) => ({ publishDate: dayAfter(day, 1), closeDate: day }),
    before: PENDING,
    after: CLOSED,
  },
];

/** Creates jobs of every kind that change at noon of `day`, in turn. */
export async function makeDueJobs(world: World, count: number, day: string): Promise<DueJob[]> {
  const jobs: DueJob[] = [];
  await inParallel(Array(count).keys(), AT_ONCE, async (index) => {
    const { dates, before, after } = kinds[index % kinds.length] as Kind;
    const body = jobBody(world.companyId, { referenceId: `due-${index}`, ...dates(day) });
    const { answer } = await untilDecided(() => world.api.put('/jobs', body));
    if (answer.status !== 201) throw new Error(`a job answered ${answer.status}: ${answer.text}`);
    const { id, status } = answer.json.data;
    if (status.id !== before) throw new Error(`job ${id} has status ${status.id} before noon`);
    jobs.push({ id: Number(id), before, after });
  });
  return jobs;
}
