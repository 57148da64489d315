import * as accounts from '../accounts.ts';
import * as categories from '../categories.ts';
import * as gateway from '../gateway.ts';
import * as jobs from '../jobs.ts';
import * as metrics from '../metrics.ts';
import type { Event, Operation, Stream } from '../operation.ts';
import * as scheduler from '../scheduler.ts';
import * as shortlink from '../shortlink.ts';

const owners = { gateway, accounts, categories, jobs, shortlink, metrics, scheduler };

/** The services, in the order in which they are told about. */
export const serviceNames = Object.keys(owners) as (keyof typeof owners)[];
export type ServiceName = keyof typeof owners;

const all: readonly unknown[] = Object.values(owners).flatMap((owner) => Object.values(owner));
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Everything that the contracts define. */
export const operations = all.filter(
  (value): value is Operation => isObject(value) && 'subject' in value && 'owner' in value,
);
export const events = all.filter(
  (value): value is Event => isObject(value) && 'subject' in value && 'payload' in value,
);
export const streams = all.filter((value): value is Stream => isObject(value) && 'subjects' in value);

/** What somebody does on the bus besides serving the operations that it owns. */
export interface Party {
  /** Operations of others. */
  readonly calls?: readonly Operation[];
  /** Events put on their stream. */
  readonly publishes?: readonly Event[];
  /** Events read from their stream, by durable consumers of these names. */
  readonly consumes?: readonly { readonly event: Event; readonly durable: string }[];
  /** Events of which the last one can be looked up. */
  readonly looksUp?: readonly Event[];
  /** Hints sent to whoever listens, and hints heard. */
  readonly notifies?: readonly Event[];
  readonly listens?: readonly Event[];
  /** Makes the streams, and brings them to their limits. */
  readonly keepsStreams?: boolean;
}

/**
 * Who does what on the bus: the services; `operator`, the command line; `search-site`, whose events are counted;
 * `setup`, which makes the streams before services start. Each is a user of its own, with no other rights.
 */
export const parties = {
  gateway: {
    calls: [
      accounts.resolveGrants,
      categories.createCategory,
      categories.deleteCategory,
      categories.getCategory,
      categories.listCategories,
      categories.updateCategory,
      jobs.createJob,
      jobs.deleteJob,
      jobs.deleteJobByReference,
      jobs.getJob,
      jobs.listJobs,
      jobs.listJobTypes,
      jobs.putJob,
      jobs.updateJob,
      metrics.recordEvents,
      shortlink.resolveLink,
    ],
    notifies: [gateway.usageTold],
    listens: [accounts.keyRevoked, categories.categoriesChanged, gateway.usageTold],
  },
  accounts: { notifies: [accounts.keyRevoked] },
  categories: {
    calls: [jobs.findActiveCategories, jobs.findHeldCategories, jobs.renameCategoryOnJobs],
    notifies: [categories.categoriesChanged],
  },
  jobs: {
    calls: [
      accounts.getCompany,
      categories.acquireCategories,
      categories.getCategory,
      categories.listCategories,
      categories.releaseCategories,
      metrics.forgetJobs,
      shortlink.createLink,
      shortlink.removeLinks,
    ],
    publishes: [jobs.jobClosed, jobs.jobCreated, jobs.jobDeleted, jobs.jobPublished, jobs.jobUpdated],
    consumes: [{ event: scheduler.transitionDue, durable: 'jobs' }],
    listens: [categories.categoriesChanged],
  },
  shortlink: { calls: [jobs.findExistingJobs] },
  metrics: {
    calls: [jobs.applyCounts, jobs.findExistingJobs],
    consumes: [{ event: metrics.metricsReported, durable: 'metrics' }],
  },
  scheduler: { publishes: [scheduler.transitionDue], looksUp: [scheduler.transitionDue] },
  operator: {
    calls: [
      accounts.createCompany,
      accounts.issueConsumerKey,
      accounts.issueUserKey,
      accounts.listCompanies,
      accounts.listKeys,
      accounts.revokeKey,
      accounts.rotateKey,
      categories.addSystemCategory,
      jobs.recountJobs,
    ],
  },
  'search-site': { publishes: [metrics.metricsReported] },
  setup: { keepsStreams: true },
} as const satisfies Readonly<Record<ServiceName, Party>> & Readonly<Record<string, Party>>;

export type PartyName = keyof typeof parties;
export const partyNames = Object.keys(parties) as PartyName[];
