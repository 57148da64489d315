import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoggedEvent, WebhookMessage } from '@joblisting/contracts';
import type { Client } from '@joblisting/testing/system';
import type { Random } from '../random.ts';

const WAIT_SECONDS = 2;
const PAUSE_MS = 100;

/** Follows the log of a company by its cursor. A request that fails is sent again. */
export function cursorFollower(api: Client, companyId: number) {
  const events: LoggedEvent[] = [];
  let after = '';
  return {
    events,
    follow: async (): Promise<void> => {
      const path = `/events?company.id=${companyId}&limit=200&wait=${WAIT_SECONDS}${after}`;
      const answer = await api.get(path).catch(() => undefined);
      if (answer?.status !== 200) return delay(PAUSE_MS);
      events.push(...answer.json.data);
      after = `&after=${answer.json.paging.next}`;
    },
  };
}

/** A receiver of webhooks that refuses some events. */
export async function webhookReceiver(random: Random, refused: number) {
  const received: LoggedEvent[] = [];
  let isWell = false;
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      const isRefused = !isWell && random.chance(refused);
      if (!isRefused) received.push((JSON.parse(body) as WebhookMessage).data);
      response.writeHead(isRefused ? 503 : 204).end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    recover: () => {
      isWell = true;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Events of a job whose version is not later than that of the event before. */
export function outOfOrder(events: readonly LoggedEvent[]): string[] {
  const latest = new Map<number, number>();
  return events.flatMap(({ job, type }) => {
    if (job?.version === undefined) return [];
    const before = latest.get(job.id) ?? 0;
    latest.set(job.id, job.version);
    return job.version > before ? [] : [`job ${job.id}: ${type} ${job.version} after ${before}`];
  });
}

/** Each event once, at its first arrival. */
export function firstArrivals(events: readonly LoggedEvent[]): LoggedEvent[] {
  const seen = new Set<string>();
  return events.filter(({ id }) => {
    const isFirst = !seen.has(id);
    seen.add(id);
    return isFirst;
  });
}
