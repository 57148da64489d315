import type { listJobs } from '@joblisting/contracts';
import { type Clock, type Handler, requireCompany } from '@joblisting/service-kit';
import { toHeader, toPaging } from '../domain/reply.ts';
import type { ListStore } from '../store/list-store.ts';
import type { SettleDue } from '../use-cases/settle-due.ts';

const DEFAULT_PAGE_SIZE = 50;

/** A page of a company's job headers, after what is due for that company is settled. Throws `company_forbidden`. */
export function listJobsHandler(
  lists: ListStore,
  settleDue: SettleDue,
  clock: Clock,
): Handler<typeof listJobs> {
  return async ({ params, context }) => {
    const companyId = params['company.id'];
    requireCompany(context, companyId, { parameter: 'company.id' });
    const { pageSize = DEFAULT_PAGE_SIZE, page = 1 } = params;
    await settleDue.ofCompany(companyId, clock.now(), context.deadline);
    const { total, jobs } = await lists.page({ companyId, statusId: params['status.id'], page, pageSize });
    return { data: jobs.map(toHeader), paging: toPaging(total, pageSize, page) };
  };
}
