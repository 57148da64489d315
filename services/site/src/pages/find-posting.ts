import { INT32_MAX } from '@joblisting/contracts';
import type { PostingDocument, PostingState } from '../models/posting.ts';
import type { ServerContext } from './context.ts';

/** The route of a job's page; more may follow. */
export const JOB_PAGE = '/Share/Job:id(^\\d{1,10}$)';

/** A job that the public may know of. A `deleted` one has no content. */
export interface PublicPosting {
  readonly posting: PostingDocument;
  readonly state: Exclude<PostingState, 'hidden'>;
}

/** The job with this id as it is at `now`, by default now; undefined if the public may not know of it. */
export async function findPosting(
  { postings, clock }: Pick<ServerContext, 'postings' | 'clock'>,
  id: number,
  now = clock.now(),
): Promise<PublicPosting | undefined> {
  const posting = id <= INT32_MAX ? await postings.find(id) : null;
  if (posting === null || posting.state === 'hidden') return undefined;
  const { state, closesAt } = posting;
  const hasClosed = state === 'open' && closesAt !== null && closesAt.getTime() <= now;
  return { posting, state: hasClosed ? 'closed' : state };
}
