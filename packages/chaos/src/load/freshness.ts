import { jobBody } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { Run } from '../experiment.ts';
import { atMost, type Figure, none, sized } from '../figures.ts';
import { quantile } from '../statistics.ts';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';
import type { eventSender, Way } from './event-sender.ts';
import { listAll } from './jobs.ts';

const ROUNDS = { ci: 3, full: 30 };
const EVENTS = 50;
const PROMISED_MS = 2000;
const LIMIT_MS = 30_000;

/** How soon counts show, on the job and in the list, once a batch was acknowledged and nothing is in the way. */
export async function measureFreshness(
  run: Run,
  { api, companyId }: World,
  sender: Awaited<ReturnType<typeof eventSender>>,
): Promise<Figure[]> {
  const { answer } = await untilDecided(() => api.post('/jobs', jobBody(companyId)));
  const jobId = Number(answer.json.data.id);
  const lags: number[] = [];
  const late: string[] = [];
  let expected = 0;
  const isShown = async (): Promise<boolean> => {
    const [one, all] = await Promise.all([api.get(`/jobs/${jobId}`), listAll(api, companyId)]);
    const listed = all.find(({ id }) => id === jobId);
    return one.json.data.viewCount === expected && listed?.viewCount === expected;
  };
  for (let round = 0; round < sized(run, ROUNDS); round++) {
    const way = (['http', 'keyed', 'bus'] satisfies Way[])[round % 3] as Way;
    const events = Array.from({ length: EVENTS }, () => ({
      id: crypto.randomUUID(),
      jobId,
      type: 'view' as const,
    }));
    await sender.send(events, way);
    expected += EVENTS;
    const ackedAt = performance.now();
    await waitFor(isShown, { limitMs: LIMIT_MS, what: `job ${jobId} to count ${expected} views` }).catch(
      () => {
        late.push(`not ${expected} after ${LIMIT_MS} ms (${way})`);
      },
    );
    lags.push(performance.now() - ackedAt);
  }
  return [
    none('Counts that never showed on the job and in the list', late, `${lags.length} batches`),
    atMost(run, 'Counts show after the acknowledgement, worst', quantile(lags, 1), PROMISED_MS, 'ms'),
  ];
}
