import { waitFor, quantile } from '@joblisting/testing';
import type { Run } from '../experiment.ts';
import { atMost, type Figure, none, sized } from '../figures.ts';
import type { World } from '../system/world.ts';
import type { eventSender, Transport } from './event-sender.ts';
import { createJob, listAll } from './jobs.ts';

const ROUNDS = { ci: 3, full: 30 };
const EVENTS = 50;
const PROMISED_MS = 2000;
const LIMIT_MS = 30_000;

/** Measures when counts show on the job and in lists after the acknowledgement, without faults. */
export async function measureFreshness(
  run: Run,
  world: World,
  sender: Awaited<ReturnType<typeof eventSender>>,
): Promise<Figure[]> {
  const jobId = await createJob(world);
  const { api, companyId } = world;
  const lags: number[] = [];
  const missing: string[] = [];
  let expected = 0;
  const isShown = async (): Promise<boolean> => {
    const [one, all] = await Promise.all([api.get(`/jobs/${jobId}`), listAll(api, companyId)]);
    const listed = all.find(({ id }) => id === jobId);
    return one.json.data.viewCount === expected && listed?.viewCount === expected;
  };
  for (let round = 0; round < sized(run, ROUNDS); round++) {
    const transport = (['http', 'keyed', 'bus'] satisfies Transport[])[round % 3] as Transport;
    const events = Array.from({ length: EVENTS }, () => ({
      id: crypto.randomUUID(),
      jobId,
      type: 'view' as const,
    }));
    await sender.send(events, transport);
    expected += EVENTS;
    const ackedAt = performance.now();
    await waitFor(isShown, { limitMs: LIMIT_MS, what: `job ${jobId} to count ${expected} views` }).catch(
      () => {
        missing.push(`not ${expected} after ${LIMIT_MS} ms (${transport})`);
      },
    );
    lags.push(performance.now() - ackedAt);
  }
  return [
    none('Counts that never showed on the job and in the list', missing, `${lags.length} batches`),
    atMost(run, 'Counts show after the acknowledgement, worst', quantile(lags, 1), PROMISED_MS, 'ms'),
  ];
}
