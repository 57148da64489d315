import { recordEvents } from '@joblisting/contracts';
import { categoryRows } from './categories.ts';
import { metricsBatch, metricsReceipt } from './examples.ts';
import { jobRows } from './jobs.ts';
import { referenceDataRows } from './reference-data.ts';
import type { Row } from './row.ts';

const metricsRows: readonly Row[] = [
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

/** Every operation of the API. Routing, authentication and OpenAPI are derived from it. */
export const table: readonly Row[] = [...jobRows, ...categoryRows, ...referenceDataRows, ...metricsRows];
