import { jobBody } from '@joblisting/e2e/harness';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';
import { dayAfter } from './noon.ts';
import { inParallel } from './workers.ts';

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
  /** Versions at which it became Published or Closed, once the noon has passed, and into what. */
  readonly transitions: ReadonlyMap<number, number>;
}

interface Kind {
  readonly dates: (day: string) => { publishDate: string; closeDate: string | null };
  readonly before: number;
  readonly after: number;
  readonly transitions: readonly (readonly [version: number, status: number])[];
}

/** A publishDate takes effect at noon of the day before, a closeDate at noon of its day (spec, "Transitions"). */
const kinds: readonly Kind[] = [
  {
    dates: (day) => ({ publishDate: dayAfter(day, 1), closeDate: null }),
    before: PENDING,
    after: PUBLISHED,
    transitions: [[2, PUBLISHED]],
  },
  {
    dates: (day) => ({ publishDate: dayAfter(day, -5), closeDate: day }),
    before: PUBLISHED,
    after: CLOSED,
    transitions: [
      [1, PUBLISHED],
      [2, CLOSED],
    ],
  },
  {
    // Published and closed by the same noon: it was never open.
    dates: (day) => ({ publishDate: dayAfter(day, 1), closeDate: day }),
    before: PENDING,
    after: CLOSED,
    transitions: [[2, CLOSED]],
  },
];

/** Creates jobs of every kind that change at noon of `day`. */
export async function makeDueJobs(world: World, count: number, day: string): Promise<DueJob[]> {
  const jobs: DueJob[] = [];
  await inParallel(Array(count).keys(), AT_ONCE, async (index) => {
    const { dates, before, after, transitions } = kinds[index % kinds.length] as Kind;
    const body = jobBody(world.companyId, { referenceId: `due-${index}`, ...dates(day) });
    const { answer } = await untilDecided(() => world.api.put('/jobs', body));
    if (answer.status !== 201) throw new Error(`a job answered ${answer.status}: ${answer.text}`);
    const { id, status } = answer.json.data;
    if (status.id !== before) throw new Error(`job ${id} has status ${status.id} before noon`);
    jobs.push({ id: Number(id), before, after, transitions: new Map(transitions) });
  });
  return jobs;
}
