import type { CallContext } from '@joblisting/bus';
import {
  addSyncItems,
  batchJobs,
  commitSync,
  createJob,
  deleteJob,
  getJob,
  getSync,
  type Job,
  listJobs,
  type ParamsOf,
  putJob,
  ServiceError,
  startSync,
  type SyncCommit,
  updateJob,
} from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { testClock } from '@joblisting/testing';
import { runService } from '@joblisting/testing/system';
import { jobsService } from '../src/index.ts';
import { standInPeers } from './peers.ts';

/** When tests start, unless they move the clock. */
export const START = '2026-03-10T15:15:00Z';

/** The companies that callers are granted by default. */
export const GRANTED = [1, 2];

export const newJob = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  company: { id: 1 },
  title: 'Welder',
  publishDate: '2026-03-01',
  description: 'Weld.',
  applicantRoutingType: { id: 1 },
  ...more,
});

/** The context of a caller with these companies. */
export const caller = (companyIds: readonly number[] = GRANTED, limitMs = 5000): CallContext => ({
  ...ownCall(limitMs),
  principal: { consumerId: 1, userId: 1, scopes: ['jobs:read', 'jobs:write'], companyIds: [...companyIds] },
});

export type RunningJobs = Awaited<ReturnType<typeof runJobs>>;

/** The service with stand-ins of the services that it calls. */
export async function runJobs(env: Record<string, string> = {}) {
  const { peers, standIns } = standInPeers();
  const running = await runService(jobsService, {
    standIns,
    clock: testClock(START),
    // Some tests send a hundred requests at once.
    env: { MAX_IN_FLIGHT: '256', ...env },
  });
  const { bus } = running;
  return {
    ...running,
    peers,
    create: (body: unknown, context = caller()) => bus.request(createJob, { body, context }),
    get: (id: number, context = caller()) => bus.request(getJob, { params: { id }, context }),
    update: (
      id: number,
      body: unknown,
      context = caller(),
      ifMatch?: ParamsOf<typeof updateJob>['ifMatch'],
    ) => bus.request(updateJob, { params: { id, ...(ifMatch && { ifMatch }) }, body, context }),
    put: (body: unknown, context = caller(), ifMatch?: ParamsOf<typeof putJob>['ifMatch']) =>
      bus.request(putJob, { params: ifMatch ? { ifMatch } : {}, body, context }),
    batch: (items: readonly unknown[], context = caller(), params: ParamsOf<typeof batchJobs> = {}) =>
      bus.request(batchJobs, { params, body: { items }, context }),
    startSync: (body: unknown, context = caller()) => bus.request(startSync, { body, context }),
    addToSync: (id: number, items: readonly unknown[], context = caller()) =>
      bus.request(addSyncItems, { params: { id }, body: { items }, context }),
    commitSync: (id: number, body: SyncCommit, context = caller()) =>
      bus.request(commitSync, { params: { id }, body, context }),
    getSync: (id: number, context = caller()) => bus.request(getSync, { params: { id }, context }),
    remove: (id: number, context = caller(), ifMatch?: ParamsOf<typeof deleteJob>['ifMatch']) =>
      bus.request(deleteJob, { params: { id, ...(ifMatch && { ifMatch }) }, context }),
    list: (companyId: number, more: Partial<ParamsOf<typeof listJobs>> = {}, context = caller()) =>
      bus.request(listJobs, { params: { 'company.id': companyId, ...more }, context }),
  };
}

/** The error of a call that must fail. */
export async function refusalOf(call: Promise<unknown>): Promise<ServiceError> {
  const answer = await call.catch((error: unknown) => error);
  if (answer instanceof ServiceError) return answer;
  throw new Error('the call was not refused', { cause: answer });
}

/** The violations of an error, each as `[pointer, code]`. */
export const faultsOf = ({ errors }: ServiceError) =>
  errors.map(({ pointer, parameter, header, code }) => [pointer ?? parameter ?? header, code]);

/** A job as a client can post it back. */
export const readBack = (job: Job): Omit<Job, 'id' | 'referenceId'> => {
  const { id: _id, referenceId: _referenceId, ...rest } = job;
  return rest;
};
