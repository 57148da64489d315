import { addSyncItems, commitSync, getSync, startSync } from '@joblisting/contracts';
import { batchedJobs, jobBatch, sync } from './examples.ts';
import { BATCH_BYTES_OF_A_PLACE, BATCH_TIMEOUT_MS, type Row } from './row.ts';

const write = { keys: 'keys', scope: 'jobs:write' } as const;
const tag = 'Syncs';
const started = {
  ...sync,
  state: 'open',
  sent: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  closed: 0,
  leftAlone: 0,
  jobs: [],
};

export const syncRows: readonly Row[] = [
  {
    method: 'POST',
    path: '/syncs',
    name: 'startSync',
    operation: startSync,
    access: write,
    tag,
    description:
      'Starts a full sync: send all jobs of a company, or all whose referenceId begins with `scope`, then commit. Only the commit closes or deletes jobs that were not sent. Without one the sync expires after 24 hours.',
    location: (id) => `/syncs/${id}`,
    examples: { body: { company: sync.company, scope: sync.scope }, data: started },
  },
  {
    method: 'GET',
    path: '/syncs/{id}',
    name: 'getSync',
    operation: getSync,
    access: { keys: 'keys', scope: 'jobs:read' },
    tag,
    description: 'What the sync has done so far. It stays for a week.',
    examples: { parameters: { id: sync.id }, data: sync },
  },
  {
    method: 'POST',
    path: '/syncs/{id}/items',
    name: 'addSyncItems',
    operation: addSyncItems,
    access: write,
    tag,
    description:
      'Creates or changes jobs at once, as `POST /jobs/batch` does, and notes that they were sent. Send as many of these requests as you need, also at the same time. Items with a status of 5xx do not count as sent until they are sent again.',
    success: 'One answer for each item, in their order.',
    timeoutMs: BATCH_TIMEOUT_MS,
    bytesOfAPlace: BATCH_BYTES_OF_A_PLACE,
    examples: { parameters: { id: sync.id }, body: jobBatch, data: batchedJobs },
  },
  {
    method: 'POST',
    path: '/syncs/{id}/commit',
    name: 'commitSync',
    operation: commitSync,
    access: write,
    tag,
    description: [
      'Ends the sync. With `close` or `delete`, that happens to the jobs that were not sent. If `expectedCount` is not the number of referenceIds that arrived, or if more jobs are missing than allowed, nothing happens: 409 `sync_refused` lists the first missing jobs, and the sync stays open.',
      'Jobs that something else changed or created after the start of the sync are left alone, and listed in the report; so is a job that the clock has published or closed since. If there are too many jobs for one request, the answer has the state `committing`, and the service goes on by itself: read the report until it is `committed`. Sending the same commit again is safe.',
    ].join('\n\n'),
    success: 'The report.',
    timeoutMs: BATCH_TIMEOUT_MS,
    examples: {
      parameters: { id: sync.id },
      body: { expectedCount: sync.sent, missing: 'close', maxMissingPercent: 20 },
      data: sync,
    },
  },
];
