import { listEvents, listJobChanges } from '@joblisting/contracts';
import { deletedJob, jobChange, loggedEvent } from './examples.ts';
import type { Row } from './row.ts';

const tag = 'Events';

export const eventRows: readonly Row[] = [
  {
    method: 'GET',
    path: '/events',
    name: 'listEvents',
    operation: listEvents,
    access: { keys: 'keys', scope: 'events:read' },
    tag,
    description: [
      'The change log of one company, oldest first: what happened to its jobs, applications and custom categories. Send `paging.next` as `after` to go on; it is there although nothing is new. The events of one job come in the order of its versions, each event once. New types of events may come at any time.',
      'With `wait`, an answer without events is held back until there is one, at most so many seconds. Where too many requests wait, or a server stops, the answer comes at once: pause for a second before the next one.',
      'With `Accept: application/x-ndjson` the answer is one event a line, and a last line `{"paging": {…}}`.',
      'Events are kept for 30 days by default. A cursor from before answers 410 `cursor_expired`: read all jobs at the address in `snapshot`, and go on with the cursor at its end.',
    ].join('\n\n'),
    followed: true,
    answersNdjson: true,
    examples: { parameters: { 'company.id': 1 }, data: [loggedEvent] },
  },
  {
    method: 'GET',
    path: '/jobs/changes',
    name: 'listJobChanges',
    operation: listJobChanges,
    access: { keys: 'keys', scope: 'jobs:read' },
    tag,
    description: [
      'For keeping a copy of all jobs of one company. Without `after`, all jobs by their ids, page by page; then, with `paging.next` of each answer, the jobs that changed: each as it is now, a deleted one as `{"id": 17, "deleted": true}`. A job can come more than once; its higher `version` is the later state. Who follows the cursors misses nothing, although an answer may be empty with `hasMore` true. Counts, and new names of the company, do not make a change.',
      'The cursor at the end of all jobs can be sent to `GET /events` as well, and one of `GET /events` here.',
    ].join('\n\n'),
    followed: true,
    examples: { parameters: { 'company.id': 1 }, data: [jobChange, deletedJob] },
  },
];
