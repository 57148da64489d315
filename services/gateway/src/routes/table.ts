import { recordEvents } from '@joblisting/contracts';
import { BASE_PATH } from '../addresses.ts';
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

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

const owners = new Map(
  table.flatMap(({ path, operation }) =>
    'owner' in operation ? [[firstSegment(path), operation.owner] as const] : [],
  ),
);

/** The service that requests to this path wait for; undefined for a path that no service owns. */
export const ownerOfPath = (path: string): string | undefined =>
  path.startsWith(`${BASE_PATH}/`) ? owners.get(firstSegment(path.slice(BASE_PATH.length))) : undefined;
