import { setTimeout as delay } from 'node:timers/promises';
import { jobBody } from '@joblisting/testing/system';
import { waitFor, quantile } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { atLeast, atMost, none, note, sized } from '../figures.ts';
import { startBalancer } from '../load/balancer.ts';
import { isReplay, sendKeyed } from '../load/creation.ts';
import { untilDecided } from '../load/decided.ts';
import { listAll } from '../load/jobs.ts';
import { startWorkers } from '../load/workers.ts';
import { pairs } from '../system/shapes.ts';
import { noneCrashed } from '../system/victims.ts';

const WORKERS = 6;
const PAUSE_MS = 25;
const FROZEN_MS = { ci: 4000, full: 10_000 };
const ROUNDS = { ci: 1, full: 3 };
/** How many gateways are frozen, one after the other. */
const FROZEN = { ci: 1, full: 2 };
/** The client's time-out, after which it repeats the request with the same key. */
const CLIENT_TIMEOUT_MS = 3000;
/** One time-out, and the answer of the other gateway. */
const PROMISED_MS = 2 * CLIENT_TIMEOUT_MS;
const RECOVERY_LIMIT_MS = 15_000;

/**
 * Freezes one of two gateways (SIGSTOP), at full scale then the other. A client without an answer repeats its request
 * with the same key after 3 seconds, and the balancer sends it to the other gateway. When the frozen one resumes, it may
 * still execute the first request, which the key makes harmless.
 */
export const frozenGateway: Experiment = {
  name: 'frozen-gateway',
  run: (run) =>
    run.systems.use(pairs, async ({ fleet, world }) => {
      const balancer = startBalancer(fleet.origins);
      const created = new Map<string, number>();
      const odd: string[] = [];
      const times: number[] = [];
      let replays = 0;
      let uncertain = 0;
      const load = startWorkers(WORKERS, async (worker) => {
        const title = `frozen-${worker}-${times.length}`;
        const key = crypto.randomUUID();
        const since = performance.now();
        const decided = await untilDecided(
          () =>
            balancer.send(world.keys, (client) =>
              sendKeyed(
                client,
                jobBody(world.companyId, { title }),
                key,
                AbortSignal.timeout(CLIENT_TIMEOUT_MS),
              ),
            ),
          { onOdd: (what) => odd.push(what) },
        );
        times.push(performance.now() - since);
        if (decided.answer.status === 201) created.set(title, Number(decided.answer.json.data.id));
        else odd.push(`${decided.answer.status} ${String(decided.answer.json?.code)}`);
        if (isReplay(decided.answer)) replays += 1;
        if (decided.isUncertain) uncertain += 1;
        await delay(PAUSE_MS);
      });
      const notReady: string[] = [];
      try {
        for (let round = 0; round < sized(run, ROUNDS); round++) {
          for (const [index, gateway] of fleet.replicas('gateway').slice(0, sized(run, FROZEN)).entries()) {
            const origin = fleet.origins[index] as string;
            gateway.kill('SIGSTOP');
            await delay(sized(run, FROZEN_MS));
            gateway.kill('SIGCONT');
            await waitFor(() => balancer.isReady(origin), {
              limitMs: RECOVERY_LIMIT_MS,
              what: 'the gateway to become ready again',
            }).catch(() => notReady.push(origin));
            run.say(`gateway ${index + 1} was frozen: ${times.length} requests, ${uncertain} repeated`);
          }
        }
      } finally {
        for (const gateway of fleet.replicas('gateway')) gateway.kill('SIGCONT');
        await load.stop();
        await balancer.stop();
      }
      // By then the frozen gateway has executed the requests that it had received.
      await delay(CLIENT_TIMEOUT_MS);
      const stored = new Map<string, number[]>();
      for (const { title, id } of await listAll(world.api, world.companyId)) {
        stored.set(title, [...(stored.get(title) ?? []), id]);
      }
      const lost = [...created]
        .filter(([title, id]) => !stored.get(title)?.includes(id))
        .map(([title]) => title);
      const twice = [...stored].filter(([, ids]) => ids.length > 1).map(([title]) => title);
      const of = `${times.length} creations`;
      return [
        none('Frozen gateway: acknowledged jobs lost', lost, of),
        none('Frozen gateway: jobs created twice', twice, of),
        none('Frozen gateway: answers other than 201, 503, 504', odd, of),
        none('Frozen gateway: not ready after it resumed', notReady, '2'),
        atLeast('Frozen gateway: requests without an answer that were repeated', uncertain, 1),
        atMost(run, 'Frozen gateway: slowest decision', quantile(times, 1), PROMISED_MS, 'ms'),
        noneCrashed(fleet),
        note('Frozen gateway: answers replayed for a key', String(replays)),
      ];
    }),
};
