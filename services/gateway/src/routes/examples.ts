import type {
  Application,
  ApplicationCopy,
  ApplicationHeader,
  BatchedJob,
  Job,
  JobBatch,
  JobCategory,
  JobChange,
  JobHeader,
  JobMetrics,
  LoggedEvent,
  MetricsBatch,
  MetricsReceipt,
  NewApplication,
  ReceivedApplication,
  NewJob,
  Sync,
  Webhook,
  WebhookAttempt,
  WebhookMessage,
} from '@joblisting/contracts';

/** The description has the configured address in its place. */
export const ORIGIN_OF_EXAMPLES = 'https://origin.invalid';

/** Examples of the API description. A test checks them against their schemas. */
export const country = { id: 840, name: 'United States of America' };
export const province = { id: 39_191_482, name: 'California', country };
export const systemCategory: JobCategory = { id: 13, name: 'Information Technology', company: null };
export const customCategory: JobCategory = { id: 1001, name: 'Game Design', company: { id: 1 } };
export const jobReference = { referenceId: 'GD-2026-17', company: { id: 1 } };

export const jobHeader: JobHeader = {
  id: 4711,
  referenceId: jobReference.referenceId,
  company: { id: 1, name: 'Northwind Games' },
  employer: null,
  title: 'Senior Game Designer',
  displayDate: '2026-11-20',
  city: 'San Jose',
  province,
  status: { id: 1, name: 'Published' },
  viewCount: 120,
  applicationCount: 3,
  clickThroughCount: 0,
};

export const job: Job = {
  ...jobHeader,
  publishDate: '2026-11-20',
  closeDate: '2026-12-31',
  categories: [{ id: customCategory.id, name: customCategory.name }],
  types: [{ id: 1, name: 'Full-time' }],
  description: '<p>You design <strong>games</strong>.</p>',
  descriptionFormat: 'html',
  applicantRoutingType: { id: 1, name: 'Default' },
  applicationEmails: ['jobs@northwind.example'],
  applicationUrl: null,
  url: `${ORIGIN_OF_EXAMPLES}/s/4gHx`,
};

export const newJob = {
  company: { id: 1 },
  title: job.title,
  publishDate: job.publishDate,
  closeDate: job.closeDate,
  city: job.city,
  province: { id: province.id },
  categories: [{ name: customCategory.name }],
  types: [{ id: 1 }],
  description: job.description,
  descriptionFormat: 'html',
  applicantRoutingType: { id: 1 },
  applicationEmails: job.applicationEmails,
} satisfies NewJob;

export const jobBatch = {
  items: [
    { ...newJob, ...jobReference },
    { ...newJob, referenceId: 'GD-2026-18', types: [{ id: 99 }] },
  ],
} satisfies JobBatch;

export const batchedJobs: BatchedJob[] = [
  { index: 0, status: 201, outcome: 'created', data: job },
  {
    index: 1,
    status: 422,
    outcome: 'refused',
    error: {
      code: 'validation_failed',
      title: 'The request breaks one or more rules',
      detail: 'One rule is broken; see "errors".',
      errors: [{ pointer: '#/items/1/types/0/id', code: 'unknown_id', detail: 'There is no job type 99.' }],
    },
  },
];

export const sync: Sync = {
  id: 7,
  company: jobReference.company,
  scope: 'GD-',
  state: 'committed',
  startedAt: '2026-11-20T09:30:00.000Z',
  endsAt: '2026-11-21T09:30:00.000Z',
  sent: 312,
  created: 4,
  updated: 11,
  unchanged: 296,
  refused: 1,
  missing: 0,
  closed: 1,
  deleted: 0,
  kept: 0,
  leftAlone: 1,
  jobs: [
    { id: 4690, referenceId: 'GD-2026-09', outcome: 'closed' },
    { id: 4702, referenceId: 'GD-2026-12', outcome: 'leftAlone' },
  ],
};

export const newApplication = {
  applicant: {
    name: 'Ada Park',
    email: 'ada.park@mail.example',
    phone: '+1 408 555 0100',
    location: 'San Jose',
  },
  coverLetter: 'I have designed games for six years.',
  answers: [{ question: 'When can you start?', answer: 'In January.' }],
  referenceId: 'a-7f3c2e',
  source: 'search.example.com',
  consentAt: '2026-11-21T08:15:00Z',
} satisfies NewApplication;

export const applicationHeader: ApplicationHeader = {
  id: 9001,
  job: { id: job.id, referenceId: job.referenceId, title: job.title },
  company: { id: 1 },
  referenceId: newApplication.referenceId,
  receivedAt: '2026-11-21T08:15:02.120Z',
  applicant: newApplication.applicant,
  source: newApplication.source,
  consentAt: newApplication.consentAt,
  previousApplicationId: null,
};

export const applicationCopy: ApplicationCopy = {
  email: 'jobs@northwind.example',
  state: 'sent',
  attempts: 1,
  lastAttemptAt: '2026-11-21T08:15:03.480Z',
  nextAttemptAt: null,
  response: '250 2.0.0 Ok: queued as 4F3C2E',
};

export const receivedApplication: ReceivedApplication = {
  ...applicationHeader,
  coverLetter: newApplication.coverLetter,
  answers: newApplication.answers,
  files: [{ id: 1, name: 'Ada Park.pdf', type: 'application/pdf', size: 48_213, scan: 'clean' }],
};

export const application: Application = { ...receivedApplication, copies: [applicationCopy] };

export const metricsBatch: MetricsBatch = {
  events: [{ id: '01JD4S9X6N', jobId: job.id, type: 'view', at: '2026-11-20T09:30:00Z', source: 'indeed' }],
};

export const metricsReceipt: MetricsReceipt = { accepted: 1, duplicates: 0, rejected: [] };

/** Its sums are those of `jobHeader`. */
export const jobMetrics: JobMetrics = {
  from: '2026-11-20',
  to: '2026-12-19',
  interval: 'day',
  counts: {
    views: jobHeader.viewCount,
    applications: jobHeader.applicationCount,
    clickThroughs: jobHeader.clickThroughCount,
  },
  outside: { views: 0, applications: 0, clickThroughs: 0 },
  series: [
    { date: '2026-11-20', source: null, views: 12, applications: 0, clickThroughs: 0 },
    { date: '2026-11-20', source: 'indeed', views: 90, applications: 3, clickThroughs: 0 },
    { date: '2026-11-21', source: 'indeed', views: 18, applications: 0, clickThroughs: 0 },
  ],
};

export const loggedEvent: LoggedEvent = {
  id: `job:${job.id}:3`,
  seq: 42,
  type: 'job.closed',
  at: '2026-12-31T12:00:00.000Z',
  company: { id: 1 },
  job: { id: job.id, referenceId: jobReference.referenceId, version: 3 },
  data: { status: { id: 2, name: 'Closed' } },
};

export const jobChange: JobChange = {
  ...jobHeader,
  publishDate: job.publishDate,
  closeDate: job.closeDate,
  version: 2,
};

export const deletedJob: JobChange = { id: 4712, deleted: true };

export const newWebhook = {
  company: { id: 1 },
  url: 'https://ats.northwind.example/hooks/jobs',
  types: ['job.published', 'job.closed'] as const,
  description: 'Applicant tracking',
};

export const webhook: Webhook = {
  ...newWebhook,
  id: 101,
  types: [...newWebhook.types],
  state: 'enabled',
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  pending: 0,
  createdAt: '2026-11-20T09:00:00.000Z',
};

export const webhookWithSecret = {
  ...webhook,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
};

export const webhookAttempt: WebhookAttempt = {
  id: '6920f2a1b7c3d4e5f6a7b8c9',
  event: { id: loggedEvent.id, type: loggedEvent.type },
  at: '2026-12-31T12:00:00.350Z',
  status: 500,
  durationMs: 87,
  outcome: 'refused',
  nextAttemptAt: '2026-12-31T12:00:05.600Z',
};

export const webhookMessage: WebhookMessage = {
  type: loggedEvent.type,
  timestamp: loggedEvent.at,
  data: loggedEvent,
};
