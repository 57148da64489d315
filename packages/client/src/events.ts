import type { Event, JobChange } from './openapi.ts';
import type { Query } from './operations.ts';
import type { RequestOptions } from './request.ts';
import type { CursorPage, Transport } from './transport.ts';

/** How long one request waits for an event. */
const WAIT_SECONDS = 25;
/** Between requests where the service does not wait because it is busy, or stopping. */
const PAUSE_MS = 1000;

export function eventsOf({ sendForCursor, sleep }: Transport) {
  const page = (query: Query<'listEvents'>, options: RequestOptions = {}): Promise<CursorPage<Event>> =>
    sendForCursor('listEvents', { query }, options);

  return {
    /** One page of events, oldest first. */
    page,
    /**
     * The pages of events after a cursor, and then each new one as it comes, until the signal is aborted. Store
     * `paging.next` once a page is handled, and begin there again.
     */
    follow: async function* (
      query: Query<'listEvents'>,
      options: RequestOptions = {},
    ): AsyncGenerator<CursorPage<Event>, void, undefined> {
      for (let { after } = query; ;) {
        const startedAt = performance.now();
        const request = { query: { wait: WAIT_SECONDS, ...query, after } };
        const found = await sendForCursor<Event>('listEvents', request, options);
        after = found.paging.next;
        if (found.data.length > 0) yield found;
        else if (performance.now() - startedAt < PAUSE_MS) await sleep(PAUSE_MS, options.signal ?? undefined);
      }
    },
  };
}

/** The pages of all jobs or, after a cursor, of those that changed since. */
export const changesOf = ({ sendForCursor }: Transport) =>
  async function* (
    query: Query<'listJobChanges'>,
    options: RequestOptions = {},
  ): AsyncGenerator<CursorPage<JobChange>, void, undefined> {
    for (let { after } = query, hasMore = true; hasMore;) {
      const page: CursorPage<JobChange> = await sendForCursor(
        'listJobChanges',
        { query: { ...query, after } },
        options,
      );
      yield page;
      ({ next: after, hasMore } = page.paging);
    }
  };
