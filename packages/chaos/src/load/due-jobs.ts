import { status } from '@joblisting/contracts';
import { inParallel } from '@joblisting/testing';
import { jobBody } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';
import { dayAfter } from './noon.ts';

const AT_ONCE = 12;

/** A job that changes at a noon. */
export interface DueJob {
  readonly id: number;
  /** Status before and after noon. */
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
    before: status.pending,
    after: status.published,
  },
  {
    dates: (day) => ({ publishDate: dayAfter(day, -30), closeDate: day }),
    before: status.published,
    after: status.closed,
  },
  {
    // Would be published and closed at the same noon, so it is only closed.
    dates: (day) => ({ publishDate: dayAfter(day, 1), closeDate: day }),
    before: status.pending,
    after: status.closed,
  },
];

/** Creates jobs of all kinds that change at noon of `day`. */
export async function makeDueJobs(world: World, count: number, day: string): Promise<DueJob[]> {
  const jobs: DueJob[] = [];
  await inParallel(Array(count).keys(), AT_ONCE, async (index) => {
    const { dates, before, after } = kinds[index % kinds.length] as Kind;
    const body = jobBody(world.companyId, { referenceId: `due-${index}`, ...dates(day) });
    const { answer } = await untilDecided(() => world.api.put('/jobs', body));
    if (answer.status !== 201) throw new Error(`a job answered ${answer.status}: ${answer.text}`);
    const { id, status: actual } = answer.json.data;
    if (actual.id !== before) throw new Error(`job ${id} has status ${actual.id} before noon`);
    jobs.push({ id: Number(id), before, after });
  });
  return jobs;
}
