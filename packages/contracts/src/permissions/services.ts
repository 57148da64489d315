import * as accounts from '../accounts.ts';
import * as applications from '../applications.ts';
import * as categories from '../categories.ts';
import * as changeLog from '../events.ts';
import * as gateway from '../gateway.ts';
import * as jobs from '../jobs.ts';
import * as metrics from '../metrics.ts';
import * as scheduler from '../scheduler.ts';
import * as shortlink from '../shortlink.ts';
import * as webhooks from '../webhooks.ts';
import type { Party, Service } from './service.ts';

/**
 * The only list of services. The local start, the tests and the benchmark read it. `npm run generate` makes the compose
 * file, Kubernetes manifests, NATS and MongoDB users, scrape targets and tables of the documentation from it.
 */
export const services = {
  gateway: {
    does: 'HTTP: keys, scopes, rate limits, method override, envelopes, errors, short links, docs. No business rule.',
    contract: gateway,
    http: { hostPort: 8080, setting: 'PORT' },
    addresses: ['PUBLIC_URL', 'SEARCH_URL'],
    settings: { compose: { DRAIN_MS: '${DRAIN_MS:-0}' }, kubernetes: { DRAIN_MS: '3000' } },
    replicas: { least: 2, most: 10 },
    requests: { cpu: '500m', memory: '256Mi' },
    calls: [
      accounts.resolveGrants,
      applications.createApplication,
      applications.deleteApplication,
      applications.eraseApplicant,
      applications.getApplication,
      applications.getApplicationFile,
      applications.listApplications,
      applications.queueCopies,
      categories.createCategory,
      categories.deleteCategory,
      categories.getCategory,
      categories.listCategories,
      categories.updateCategory,
      jobs.addSyncItems,
      jobs.batchJobs,
      jobs.commitSync,
      changeLog.listEvents,
      changeLog.listJobChanges,
      jobs.createJob,
      jobs.deleteJob,
      jobs.deleteJobByReference,
      jobs.getJob,
      jobs.getSync,
      jobs.listJobs,
      jobs.listJobTypes,
      jobs.putJob,
      jobs.startSync,
      jobs.updateJob,
      metrics.getJobMetrics,
      metrics.recordEvents,
      shortlink.resolveLink,
      webhooks.createWebhook,
      webhooks.deleteWebhook,
      webhooks.getWebhook,
      webhooks.listWebhookAttempts,
      webhooks.listWebhooks,
      webhooks.replayEvents,
      webhooks.rotateWebhookSecret,
      webhooks.testWebhook,
      webhooks.updateWebhook,
    ],
    notifies: [gateway.usageTold],
    listens: [accounts.keyRevoked, categories.categoriesChanged, gateway.usageTold],
  },
  accounts: {
    does: 'Companies, and the keys of consumers and users.',
    contract: accounts,
    hasDatabase: true,
    replicas: { least: 2, most: 6 },
    requests: { cpu: '200m', memory: '192Mi' },
    calls: [
      applications.countApplications,
      applications.setRetention,
      categories.removeCustomCategories,
      jobs.countJobs,
      jobs.renameCompanyOnJobs,
      webhooks.removeWebhooks,
    ],
    notifies: [accounts.companyChanged, accounts.keyRevoked],
  },
  categories: {
    does: 'System and custom categories, names to ids, safe deletion.',
    contract: categories,
    hasDatabase: true,
    replicas: { least: 2, most: 6 },
    requests: { cpu: '200m', memory: '192Mi' },
    calls: [jobs.findActiveCategories, jobs.findHeldCategories, jobs.renameCategoryOnJobs],
    publishes: [categories.categoryCreated, categories.categoryDeleted, categories.categoryRenamed],
    notifies: [categories.categoriesChanged],
  },
  jobs: {
    does: 'The job: its rules, lists, status and transitions.',
    contract: jobs,
    hasDatabase: true,
    addresses: ['SEARCH_URL'],
    replicas: { least: 2, most: 8 },
    requests: { cpu: '500m', memory: '256Mi' },
    calls: [
      accounts.getCompany,
      categories.acquireCategories,
      categories.getCategory,
      categories.listCategories,
      categories.previewCategories,
      categories.releaseCategories,
      metrics.forgetJobs,
      shortlink.createLink,
      shortlink.removeLinks,
    ],
    publishes: [jobs.jobClosed, jobs.jobCreated, jobs.jobDeleted, jobs.jobPublished, jobs.jobUpdated],
    consumes: [{ event: scheduler.transitionDue, durable: 'jobs' }],
    listens: [accounts.companyChanged, categories.categoriesChanged],
  },
  shortlink: {
    does: 'Short links and where they lead.',
    contract: shortlink,
    hasDatabase: true,
    reachesOutside: true,
    addresses: ['PUBLIC_URL', 'SEARCH_URL'],
    settings: { secrets: { BITLY_TOKEN: { name: 'bitly', key: 'token', component: 'bitly' } } },
    replicas: { least: 2, most: 6 },
    requests: { cpu: '100m', memory: '192Mi' },
    calls: [jobs.findExistingJobs],
  },
  metrics: {
    does: 'Exact counting of views, applications and click-throughs.',
    contract: metrics,
    hasDatabase: true,
    replicas: { least: 2, most: 6 },
    requests: { cpu: '250m', memory: '256Mi' },
    calls: [jobs.applyCounts, jobs.checkJobAccess, jobs.findExistingJobs],
    consumes: [
      { event: metrics.metricsReported, durable: 'metrics' },
      { event: applications.applicationReceived, durable: 'metrics' },
    ],
  },
  applications: {
    does: 'Applications with their files, and copies of them by e-mail.',
    contract: applications,
    hasDatabase: true,
    reachesOutside: true,
    addresses: ['PUBLIC_URL'],
    settings: {
      compose: {
        // Login shells set MAIL to the path of a mailbox.
        MAIL: '${SEND_MAIL:-off}',
        SMTP_URL: '${SMTP_URL:-}',
        MAIL_FROM: '${MAIL_FROM:-}',
        CLAMD_URL: '${CLAMD_URL:-}',
        APPLICATION_RETENTION_DAYS: '${APPLICATION_RETENTION_DAYS:-}',
      },
      kubernetes: { MAIL: 'off' },
      secrets: { SMTP_URL: { name: 'smtp', key: 'url', component: 'mail' } },
    },
    replicas: { least: 2, most: 6 },
    requests: { cpu: '100m', memory: '256Mi' },
    calls: [accounts.getCompany, jobs.getApplicationTarget],
    publishes: [applications.applicationErased, applications.applicationReceived, applications.copyFailed],
    consumes: [{ event: scheduler.transitionDue, durable: 'applications' }],
  },
  events: {
    does: 'The change log of each company, to follow what changed, and webhooks.',
    contract: { ...changeLog, ...webhooks },
    hasDatabase: true,
    reachesOutside: true,
    settings: { compose: { EVENT_RETENTION_DAYS: '${EVENT_RETENTION_DAYS:-}' } },
    replicas: { least: 2, most: 6 },
    requests: { cpu: '100m', memory: '192Mi' },
    calls: [jobs.readJobHeaders],
    reads: [jobs.jobsStream, applications.applicationsStream, categories.categoriesStream],
    notifies: [changeLog.eventsLogged],
    listens: [changeLog.eventsLogged],
  },
  site: {
    does: 'The public job-search site: search, job pages, applications, feeds.',
    contract: {},
    hasDatabase: true,
    http: { hostPort: 8090, setting: 'SITE_PORT' },
    addresses: ['SEARCH_URL'],
    callsGateway: true,
    settings: {
      compose: { API_URL: 'http://gateway:8080' },
      kubernetes: { API_URL: 'http://gateway' },
      secrets: { CONSUMER_KEY: { name: 'site', key: 'consumer-key' } },
    },
    replicas: { least: 2, most: 6 },
    requests: { cpu: '200m', memory: '256Mi' },
    calls: [jobs.readPublicJobs],
    consumes: [
      { event: jobs.jobCreated, durable: 'site-created' },
      { event: jobs.jobUpdated, durable: 'site-updated' },
      { event: jobs.jobPublished, durable: 'site-published' },
      { event: jobs.jobClosed, durable: 'site-closed' },
      { event: jobs.jobDeleted, durable: 'site-deleted' },
    ],
    listens: [accounts.companyChanged],
  },
  scheduler: {
    does: 'Publishes `transition-due` at each 12:00 UTC.',
    contract: scheduler,
    // The stream drops duplicates, so both replicas can publish.
    replicas: { least: 2, most: 2 },
    requests: { cpu: '50m', memory: '128Mi' },
    publishes: [scheduler.transitionDue],
    readsLast: [scheduler.transitionDue],
  },
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceName = keyof typeof services;
export const serviceNames = Object.keys(services) as ServiceName[];
const serviceOf = (name: ServiceName): Service => services[name];
export const servicesWithDatabase = serviceNames.filter((name) => serviceOf(name).hasDatabase);

/**
 * All users of the bus: the services, `operator` (the command line), `search-site` (which reports metrics), and `setup`
 * (which creates the streams before the services start).
 */
export const parties = {
  ...services,
  operator: {
    calls: [
      accounts.createCompany,
      accounts.deleteCompany,
      accounts.issueConsumerKey,
      accounts.issueUserKey,
      accounts.listCompanies,
      accounts.listKeys,
      accounts.renameCompany,
      accounts.revokeKey,
      accounts.rotateKey,
      applications.setRetention,
      categories.addSystemCategory,
      jobs.recountJobs,
    ],
  },
  'search-site': { publishes: [metrics.metricsReported] },
  setup: { managesStreams: true },
} as const satisfies Readonly<Record<string, Party>>;

export type PartyName = keyof typeof parties;
export const partyNames = Object.keys(parties) as PartyName[];
