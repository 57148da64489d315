import type { CallContext } from '@joblisting/bus';
import * as contract from '@joblisting/contracts';
import { ownCall } from '@joblisting/service-kit';
import { testClock, waitFor } from '@joblisting/testing';
import { runService, standIn } from '@joblisting/testing/system';
import { eventsService } from '../src/index.ts';

/** When tests start, unless they move the clock. */
export const START = '2026-03-10T15:15:00Z';

const jobEvents = {
  created: contract.jobCreated,
  updated: contract.jobUpdated,
  published: contract.jobPublished,
  closed: contract.jobClosed,
  deleted: contract.jobDeleted,
} as const;

/** The companies that callers are granted by default. */
const GRANTED = Array.from({ length: 200 }, (_, index) => index + 1);

export const caller = (companyIds: readonly number[] = GRANTED, limitMs = 10_000): CallContext => ({
  ...ownCall(limitMs),
  principal: {
    consumerId: 1,
    userId: 1,
    scopes: ['events:read', 'webhooks:write'],
    companyIds: [...companyIds],
  },
});

/** A job header as `jobs` shows it. */
export const header = (id: number, more: Partial<contract.ChangedJob> = {}): contract.ChangedJob => ({
  id,
  referenceId: null,
  company: { id: 1, name: 'Company 1' },
  employer: null,
  title: 'Welder',
  displayDate: '2026-03-01',
  city: null,
  province: null,
  status: { id: 1, name: 'Published' },
  viewCount: 0,
  applicationCount: 0,
  clickThroughCount: 0,
  publishDate: '2026-03-01',
  closeDate: null,
  version: 1,
  ...more,
});

export type JobKind = keyof typeof jobEvents;
export type RunningEvents = Awaited<ReturnType<typeof runEvents>>;
type Listing = contract.ParamsOf<typeof contract.listEvents>;
type Changes = contract.ParamsOf<typeof contract.listJobChanges>;

/** The service with a stand-in of `jobs`, which shows what `stored` holds. */
export async function runEvents(env: Record<string, string> = {}, replicas = 1, service = eventsService) {
  const stored = new Map<number, contract.ChangedJob>();
  const jobs = standIn(
    contract.readJobHeaders,
    async ({ body: { companyId, ids, after = 0, limit = 1000 } }) => {
      const matching = [...stored.values()].filter(
        ({ id, company }) => (companyId ?? company.id) === company.id && (ids?.includes(id) ?? id > after),
      );
      return { data: { jobs: matching.toSorted((a, b) => a.id - b.id).slice(0, limit) } };
    },
  );
  const running = await runService(service, {
    standIns: [jobs],
    clock: testClock(START),
    env,
    replicas,
  });
  const { bus } = running;

  /** Publishes an event of a job, as the relay of `jobs` does. */
  const tell = (kind: JobKind, changed: Partial<contract.JobChanged> & { readonly jobId: number }) => {
    const payload = {
      companyId: 1,
      version: 1,
      statusId: 1,
      at: START,
      requestedBy: { consumerId: 1, userId: 1 },
      referenceId: `r-${changed.jobId}`,
      ...changed,
    } as const;
    return bus.publishEvent(jobEvents[kind], payload, `job:${payload.jobId}:${payload.version}`);
  };

  const list = (params: Partial<Listing> = {}, context = caller()) =>
    bus.request(contract.listEvents, { params: { 'company.id': 1, ...params }, context });
  const listAll = async (companyId = 1, after?: string): Promise<contract.LoggedEvent[]> => {
    const { data, cursor } = await list({ 'company.id': companyId, limit: 1000, ...(after && { after }) });
    return cursor?.hasMore ? [...data, ...(await listAll(companyId, cursor.next))] : data;
  };

  return {
    ...running,
    stored,
    tell,
    list,
    listAll,
    changes: (params: Partial<Changes> = {}, context = caller()) =>
      bus.request(contract.listJobChanges, { params: { 'company.id': 1, ...params }, context }),
    /** Waits until the log of the company has so many events. */
    logged: async (count: number, companyId = 1): Promise<contract.LoggedEvent[]> => {
      let all: contract.LoggedEvent[] = [];
      const isThere = async () => {
        all = await listAll(companyId);
        return all.length >= count;
      };
      await waitFor(isThere, { what: `${count} events of company ${companyId}` });
      return all;
    },
  };
}
