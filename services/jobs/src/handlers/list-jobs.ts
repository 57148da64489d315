import type { listJobs, recountJobs } from '@joblisting/contracts';
import {
  type Clock,
  type Handler,
  jsonBytes,
  requireCompany,
  type Result,
  singleFlight,
} from '@joblisting/service-kit';
import { toHeader, toPaging } from '../domain/reply.ts';
import { applyDueTransitions, displayDate } from '../domain/status.ts';
import type { JobStore, Reference } from '../store/job-store.ts';
import type { ListStore, PageRequest } from '../store/list-store.ts';
import { refusePast } from './refusals.ts';
import type { SettleDue } from '../tasks/settle-due.ts';

const DEFAULT_PAGE_SIZE = 50;

/**
 * A page of a company's job headers. Settles the company's due transitions first; the job of a referenceId is derived
 * instead. Throws `company_forbidden`.
 */
export function listJobsHandler(
  lists: ListStore,
  jobs: JobStore,
  settleDue: SettleDue,
  clock: Clock,
): Handler<typeof listJobs> {
  const flights = singleFlight<Result<typeof listJobs> | undefined>();

  /** Equal requests share the next read. Undefined if transitions are due. */
  const read = (request: PageRequest) =>
    flights(Object.values(request).join('/'), async () => {
      const found = await lists.page(request, clock.now());
      if (!found) return undefined;
      const data = jsonBytes(found.jobs.map(toHeader));
      return { data, paging: toPaging(found.total, request.pageSize, request.page) };
    });

  const findByReference = async (
    reference: Reference,
    { statusId, page, pageSize }: PageRequest,
    deadline: number,
  ) => {
    const stored = await jobs.findByReference(reference, deadline);
    const found = stored ? [applyDueTransitions(stored, clock.now())] : [];
    const matching = found.filter((job) => statusId === undefined || job.statusId === statusId);
    const shown = matching.slice((page - 1) * pageSize, page * pageSize);
    return {
      data: shown.map((job) => toHeader({ ...job, displayDate: displayDate(job) })),
      paging: toPaging(matching.length, pageSize, page),
    };
  };

  return async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    const { referenceId, pageSize = DEFAULT_PAGE_SIZE, page = 1 } = params;
    const request = { companyId, statusId: params['status.id'], page, pageSize };
    if (referenceId !== undefined)
      return findByReference({ companyId, referenceId }, request, context.deadline);
    for (;;) {
      const answer = await read(request);
      if (answer) return answer;
      await settleDue.ofCompany(companyId, clock.now(), context.deadline);
      refusePast(context.deadline);
    }
  };
}

/** Recounts the totals of a company's lists, for an operator. */
export const recountJobsHandler =
  (lists: ListStore): Handler<typeof recountJobs> =>
  async ({ body, context }) => ({ data: await lists.recount(body.companyId, context.deadline) });
