import type { Bus, Consuming } from '@joblisting/bus';
import { MetricsBatch, metricsReported } from '@joblisting/contracts';
import { compileBody, type Log } from '@joblisting/service-kit';
import type { CountingQueue } from '../counting-queue.ts';

const BATCHES_AT_ONCE = 10;

/** Shorter than the time after which the stream gives a message to another replica. */
const COUNT_LIMIT_MS = 5000;

/**
 * Counts the events that the search site reports over the bus, by the schema and rules of HTTP. Logs and drops a message
 * that breaks the schema, as it never gets better. Where counting fails, the messages come again.
 */
export function consumeReports(bus: Bus, queue: CountingQueue, log: Log): Consuming {
  const { check } = compileBody(MetricsBatch);
  let dropped = 0;

  const countReport = async (batch: MetricsBatch): Promise<void> => {
    const violations = check(batch);
    if (violations.length > 0) {
      dropped++;
      log.warn({ violations: violations.slice(0, 5), dropped }, 'a reported batch breaks its schema');
      return;
    }
    const receipt = await queue.submit({ sender: 'bus', events: batch.events }, Date.now() + COUNT_LIMIT_MS);
    if (receipt.rejected.length > 0) {
      log.info({ rejected: receipt.rejected.length }, 'reported events name jobs that do not exist');
    }
  };

  return bus.consume(metricsReported, {
    durable: 'metrics',
    batch: BATCHES_AT_ONCE,
    handle: async (batches) => void (await Promise.all(batches.map(countReport))),
    onError: (err) => log.warn({ err }, 'could not count reported events; they come again'),
  });
}
