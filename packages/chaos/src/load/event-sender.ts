import { connectBus } from '@joblisting/bus';
import { type MetricsEvent, metricsReported } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import type { Shared } from '../system/servers.ts';
import type { World } from '../system/world.ts';
import { isReplay } from './creation.ts';
import { untilDecided } from './decided.ts';

/** HTTP, HTTP with an Idempotency-Key, or the bus. */
export type Transport = 'http' | 'keyed' | 'bus';

/** Sends batches until they are acknowledged. `onOdd` gets the answers that the API does not promise. */
export async function eventSender({ nats }: Shared, { metrics }: World, onOdd: (what: string) => void) {
  const bus = await connectBus({ url: nats.url, name: 'search-site' });
  const counts = { http: 0, keyed: 0, bus: 0, replays: 0 };

  const overBus = async (events: readonly MetricsEvent[]): Promise<void> => {
    const messageId = crypto.randomUUID();
    const publish = () => bus.publishEvent(metricsReported, { events: [...events] }, messageId);
    await waitFor(publish, {
      limitMs: 60_000,
      everyMs: 100,
      what: 'the stream to acknowledge a batch of events',
    });
  };

  const overHttp = async (events: readonly MetricsEvent[], key?: string): Promise<void> => {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    const post = () => metrics.post('/metrics/events', { events }, { headers });
    const { answer } = await untilDecided(post, { onOdd });
    if (isReplay(answer)) counts.replays += 1;
    const { accepted, duplicates, rejected } = answer.json?.data ?? {};
    const isComplete = rejected?.length === 0 && accepted + duplicates === events.length;
    if (answer.status !== 200 || !isComplete) onOdd(`${answer.status} ${answer.text.slice(0, 200)}`);
  };

  return {
    counts,
    send: async (events: readonly MetricsEvent[], transport: Transport): Promise<void> => {
      counts[transport] += 1;
      if (transport === 'bus') await overBus(events);
      else await overHttp(events, transport === 'keyed' ? crypto.randomUUID() : undefined);
    },
    close: () => bus.close(),
  };
}
