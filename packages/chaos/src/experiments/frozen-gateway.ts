import { setTimeout as delay } from 'node:timers/promises';
import { jobBody } from '@joblisting/testing/system';
import { waitFor } from '@joblisting/testing';
import type { Experiment } from '../experiment.ts';
import { atLeast, atMost, none, note, sized } from '../figures.ts';
import { balance } from '../load/balancer.ts';
import { isReplay, sendKeyed } from '../load/creation.ts';
import { untilDecided } from '../load/decided.ts';
import { listAll } from '../load/jobs.ts';
import { startWorkers } from '../load/workers.ts';
import { quantile } from '../statistics.ts';
import { pairs } from '../system/shapes.ts';
import { noneGaveUp } from '../system/victims.ts';

const WORKERS = 6;
const PAUSE_MS = 25;
const FROZEN_MS = { ci: 4000, full: 10_000 };
const ROUNDS = { ci: 1, full: 3 };
/** How many of the two are frozen, one after the other. */
const FROZEN = { ci: 1, full: 2 };
/** How long a client waits for an answer before it sends the request again, with the same key. */
const PATIENCE_MS = 3000;
/** One wait for nothing, and the answer of the other gateway. */
const PROMISED_MS = 2 * PATIENCE_MS;
const RECOVERY_LIMIT_MS = 15_000;

/**
 * One of two gateways is frozen (SIGSTOP), at full scale then the other. A request that it has taken gets no answer; the client gives
 * up after 3 s and sends it again with its key, which the balancer brings to the other one. When the frozen one goes
 * on, it may still carry out what it had taken: the key makes that harmless.
 */
export const frozenGateway: Experiment = {
  name: 'frozen-gateway',
  run: (run) =>
    run.systems.use(pairs, async ({ fleet, world }) => {
      const balancer = balance(fleet.origins);
      const made = new Map<string, number>();
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
              sendKeyed(client, jobBody(world.companyId, { title }), key, AbortSignal.timeout(PATIENCE_MS)),
            ),
          { onOdd: (what) => odd.push(what) },
        );
        times.push(performance.now() - since);
        if (decided.answer.status === 201) made.set(title, Number(decided.answer.json.data.id));
        else odd.push(`${decided.answer.status} ${String(decided.answer.json?.code)}`);
        if (isReplay(decided.answer)) replays += 1;
        if (decided.isUncertain) uncertain += 1;
        await delay(PAUSE_MS);
      });
      const silent: string[] = [];
      try {
        for (let round = 0; round < sized(run, ROUNDS); round++) {
          for (const [index, gateway] of fleet.replicas('gateway').slice(0, sized(run, FROZEN)).entries()) {
            const origin = fleet.origins[index] as string;
            gateway.kill('SIGSTOP');
            await delay(sized(run, FROZEN_MS));
            gateway.kill('SIGCONT');
            await waitFor(() => balancer.isReady(origin), {
              limitMs: RECOVERY_LIMIT_MS,
              what: 'the gateway to be ready again',
            }).catch(() => silent.push(origin));
            run.say(`gateway ${index + 1} was frozen: ${times.length} requests, ${uncertain} sent again`);
          }
        }
      } finally {
        for (const gateway of fleet.replicas('gateway')) gateway.kill('SIGCONT');
        await load.stop();
        await balancer.stop();
      }
      // What the frozen one had taken would be done by now.
      await delay(PATIENCE_MS);
      const found = new Map<string, number[]>();
      for (const { title, id } of await listAll(world.api, world.companyId)) {
        found.set(title, [...(found.get(title) ?? []), id]);
      }
      const lost = [...made].filter(([title, id]) => !found.get(title)?.includes(id)).map(([title]) => title);
      const twice = [...found].filter(([, ids]) => ids.length > 1).map(([title]) => title);
      const of = `${times.length} creations`;
      return [
        none('Frozen gateway: acknowledged jobs lost', lost, of),
        none('Frozen gateway: jobs made twice', twice, of),
        none('Frozen gateway: answers other than 201, 503, 504', odd, of),
        none('Frozen gateway: not ready again once it went on', silent, '2'),
        atLeast('Frozen gateway: requests that it swallowed and that were sent again', uncertain, 1),
        atMost(run, 'Frozen gateway: slowest decision', quantile(times, 1), PROMISED_MS, 'ms'),
        noneGaveUp(fleet),
        note('Frozen gateway: answers given again for a key', String(replays)),
      ];
    }),
};
