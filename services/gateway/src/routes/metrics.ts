import { recordEvents } from '@joblisting/contracts';
import { metricsBatch, metricsReceipt } from './examples.ts';
import type { Row } from './row.ts';

export const metricsRows: readonly Row[] = [
  {
    method: 'POST',
    path: '/metrics/events',
    name: 'recordEvents',
    operation: recordEvents,
    access: { keys: 'consumer', scope: 'metrics:write' },
    tag: 'Metrics',
    description:
      'Counts up to 1000 events, as one JSON object or as NDJSON with one event a line. The answer comes once they are durable; sending a batch again counts nothing twice.',
    media: { 'application/json': { format: 'json' }, 'application/x-ndjson': { format: 'ndjson' } },
    examples: { body: metricsBatch, data: metricsReceipt },
  },
];
