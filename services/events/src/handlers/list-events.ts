import type { CursorPaging, listEvents, LoggedEvent } from '@joblisting/contracts';
import { type Handler, requireCompany } from '@joblisting/service-kit';
import { invalidCursor, readCursor, requireReached, writeCursor } from '../domain/cursor.ts';
import { toLoggedEvent } from '../domain/entry.ts';
import type { LogPage, LogStore } from '../store/log-store.ts';
import type { LongPolls } from '../long-polls.ts';

const DEFAULT_LIMIT = 100;
/** Left for the answer after a wait. */
const MARGIN_MS = 1000;
const NDJSON = { name: 'events.ndjson', type: 'application/x-ndjson' };

/** The events of a company after a cursor, oldest first. Throws `company_forbidden`, `cursor_expired`. */
export function listEventsHandler(logs: LogStore, polls: LongPolls): Handler<typeof listEvents> {
  /** The first page with an event; an empty one at `until` (epoch ms), when the service stops, or if too many wait. */
  const firstPage = async (
    companyId: number,
    read: () => Promise<LogPage>,
    until: number,
  ): Promise<LogPage> => {
    // It begins before the first reading, so that no event comes in between.
    const poll = until > Date.now() ? polls.begin(companyId) : undefined;
    if (!poll) return read();
    try {
      for (;;) {
        const page = await read();
        if (page.events.length > 0 || Date.now() >= until || polls.isStopping()) return page;
        await poll.next(until - Date.now());
      }
    } finally {
      poll.end();
    }
  };

  return async ({ params, context }) => {
    const { 'company.id': companyId, after, limit = DEFAULT_LIMIT, wait = 0, format } = params;
    requireCompany(context, companyId, { parameter: 'company.id' });
    const cursor = after === undefined ? undefined : readCursor(after, companyId);
    if (cursor?.afterJobId !== undefined)
      throw invalidCursor('Read GET /jobs/changes to its end first: this cursor is from the middle of it.');
    const read = async (): Promise<LogPage> => {
      const page = await logs.page(companyId, cursor?.seq, limit);
      if (cursor) requireReached(cursor, page);
      return page;
    };
    const until = wait === 0 ? 0 : Math.min(Date.now() + wait * 1000, context.deadline - MARGIN_MS);
    const page = await firstPage(companyId, read, until);
    const seq = page.events.at(-1)?.seq ?? cursor?.seq ?? page.removed;
    const paging = { next: writeCursor({ companyId, seq }), hasMore: page.hasMore };
    const data = page.events.map(toLoggedEvent);
    if (format === 'ndjson') return { data: ndjson(data, paging), file: NDJSON };
    return { data, cursor: paging };
  };
}

/** An event a line, and the position at the end. */
const ndjson = (events: readonly LoggedEvent[], paging: CursorPaging): Uint8Array =>
  Buffer.from([...events, { paging }].map((line) => `${JSON.stringify(line)}\n`).join(''));
