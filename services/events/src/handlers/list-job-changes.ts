import type { CallContext } from '@joblisting/bus';
import type { JobChange, listJobChanges } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import type { JobsClient } from '../clients/jobs.ts';
import { type Cursor, readCursor, requireReached, writeCursor } from '../domain/cursor.ts';
import type { LogStore } from '../store/log-store.ts';

const DEFAULT_LIMIT = 100;

interface Changes {
  readonly data: readonly JobChange[];
  readonly next: Cursor;
  readonly hasMore: boolean;
}

/**
 * First all jobs of a company in order of id, then those that the log names from the start of that reading on. A job
 * that changes while the others are read is in the log after that start, so nothing is missed; headers are read from
 * `jobs` after the log, so none is older than its event. Throws `company_forbidden`, `cursor_expired`.
 */
export function listJobChangesHandler(logs: LogStore, jobs: JobsClient): Handler<typeof listJobChanges> {
  const readAll = async (cursor: Cursor, limit: number, context: CallContext): Promise<Changes> => {
    const { companyId, seq, afterJobId = 0 } = cursor;
    const state = await logs.stateOf(companyId);
    requireReached(cursor, state);
    const data = await jobs.headers({ companyId, after: afterJobId, limit }, context);
    const last = data.at(-1);
    if (last && data.length === limit)
      return { data, next: { ...cursor, afterJobId: last.id }, hasMore: true };
    return { data, next: { companyId, seq }, hasMore: state.seq > seq };
  };

  const readChanged = async (cursor: Cursor, limit: number, context: CallContext): Promise<Changes> => {
    const { companyId } = cursor;
    const page = await logs.page(companyId, cursor.seq, limit);
    requireReached(cursor, page);
    const { events, hasMore } = page;
    const ids = [...new Set(events.flatMap(({ jobId, version }) => (version && jobId ? [jobId] : [])))];
    const headers = ids.length === 0 ? [] : await jobs.headers({ companyId, ids }, context);
    const byId = new Map(headers.map((header) => [header.id, header]));
    const data = ids.map((id): JobChange => byId.get(id) ?? { id, deleted: true });
    return { data, next: { companyId, seq: events.at(-1)?.seq ?? cursor.seq }, hasMore };
  };

  return async ({ params, context }) => {
    const { 'company.id': companyId, after, limit = DEFAULT_LIMIT } = params;
    requireCompany(context, companyId, { parameter: 'company.id' });
    const cursor =
      after === undefined
        ? { companyId, seq: (await logs.stateOf(companyId)).seq, afterJobId: 0 }
        : readCursor(after, companyId);
    const isAll = cursor.afterJobId !== undefined;
    const { data, next, hasMore } = await (isAll ? readAll : readChanged)(cursor, limit, context);
    return { data: [...data], cursor: { next: writeCursor(next), hasMore } };
  };
}
