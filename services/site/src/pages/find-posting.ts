import type { PostingDocument, PostingState } from '../models/posting.ts';
import type { ServerContext } from './context.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** A job that the public may know of. A `deleted` one has no content. */
export interface PublicPosting {
  readonly posting: PostingDocument;
  readonly state: Exclude<PostingState, 'hidden'>;
}

/** The job with this id as it is now; undefined if the public may not know of it. */
export async function findPosting(
  { postings, clock }: Pick<ServerContext, 'postings' | 'clock'>,
  id: number,
): Promise<PublicPosting | undefined> {
  const posting = id <= MAX_INT32 ? await postings.find(id) : null;
  if (posting === null || posting.state === 'hidden') return undefined;
  const { state, closesAt } = posting;
  const hasClosed = state === 'open' && closesAt !== null && closesAt.getTime() <= clock.now();
  return { posting, state: hasClosed ? 'closed' : state };
}
