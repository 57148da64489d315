import { getJobMetrics, recordEvents } from '@joblisting/contracts';
import { BASE_PATH } from '../addresses.ts';
import { applicationRows } from './applications.ts';
import { categoryRows } from './categories.ts';
import { job, jobMetrics, metricsBatch, metricsReceipt } from './examples.ts';
import { eventRows } from './events.ts';
import { jobRows } from './jobs.ts';
import { referenceDataRows } from './reference-data.ts';
import { ownerOf, type Row, urlOf } from './row.ts';
import { syncRows } from './syncs.ts';
import { webhookRows } from './webhooks.ts';

const metricsRows: readonly Row[] = [
  {
    method: 'POST',
    path: '/metrics/events',
    name: 'recordEvents',
    operation: recordEvents,
    access: { keys: 'consumer', scope: 'metrics:write' },
    tag: 'Metrics',
    description:
      'Counts up to 1000 events, as one JSON object or as NDJSON with one event a line. The answer comes once they are durable; sending a batch again counts nothing twice. An event that breaks the schema, or whose job does not exist, is rejected by itself: the others count.',
    success: 'How many events were accepted, and which were rejected.',
    content: {
      'application/json': { params: { format: 'json' } },
      'application/x-ndjson': {
        params: { format: 'ndjson' },
        // It is no JSON document, so it has no schema of its own.
        shown: {
          schema: { type: 'string', description: 'The same objects, one a line.' },
          example: metricsBatch.events.map((event) => `${JSON.stringify(event)}\n`).join(''),
        },
      },
    },
    examples: { body: metricsBatch, data: metricsReceipt },
  },
  {
    method: 'GET',
    path: '/jobs/{jobId}/metrics',
    name: 'getJobMetrics',
    operation: getJobMetrics,
    access: { keys: 'keys', scope: 'jobs:read' },
    tag: 'Metrics',
    description:
      'What happened to a job, by day (UTC) and source: `views`, `applications` and `clickThroughs`. The `series` and `outside` always add up to `counts`, which the job shows within two seconds. A series has at most 366 days, and the first 50 sources of a job; others are `other`. Events from before days were told apart are in `outside`.',
    examples: { parameters: { jobId: job.id }, data: jobMetrics },
  },
];

/** Every operation of the API. Routing, authentication and OpenAPI are derived from it. */
export const table: readonly Row[] = [
  ...jobRows,
  ...syncRows,
  ...eventRows,
  ...webhookRows,
  ...applicationRows,
  ...categoryRows,
  ...referenceDataRows,
  ...metricsRows,
];

/** The longest time of a row that has its own. */
export const longestTimeoutMs = Math.max(...table.map(({ timeoutMs = 0 }) => timeoutMs));

const UNVERSIONED = ['s', 'docs', 'openapi.json', 'asyncapi.json', 'healthz', 'readyz'];

/** The segments of routes that are no parameters. */
export const routeSegments: ReadonlySet<string> = new Set([
  ...UNVERSIONED,
  ...table.flatMap((row) => urlOf(row).split('/')).filter((segment) => !segment.startsWith(':')),
]);

/** The first and the third segment of a path: `jobs/applications` for `/jobs/12/applications`. Others may be ids. */
function literalsOf(path: string): string {
  const [, first = '', , third] = path.split('/', 4);
  return third ? `${first}/${third}` : first;
}

/** A path without parameters by itself: `jobs/changes` must not pass for the job `changes`. */
const keyOf = (path: string): string => (path.includes('{') ? literalsOf(path) : path);

const owners = new Map(
  table.flatMap((row) => {
    const owner = ownerOf(row);
    return owner === undefined ? [] : [[keyOf(row.path), owner] as const];
  }),
);

/** The service that requests to this path wait for; undefined for a path that no service owns. */
export function ownerOfPath(path: string): string | undefined {
  if (!path.startsWith(`${BASE_PATH}/`)) return undefined;
  const own = path.slice(BASE_PATH.length);
  return owners.get(own) ?? owners.get(literalsOf(own));
}
