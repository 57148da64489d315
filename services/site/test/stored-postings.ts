import type { PublicJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import type { PostingDocument } from '../src/models/posting.ts';
import { toPosting } from '../src/store/posting-document.ts';
import { publicJob, type RunningSite, START } from './running-site.ts';

/** A slow machine stores so many before the connection's time-out. */
const BATCH = 5000;

/** Stores postings as events would, but at once. They changed a day before `START`. */
export async function storePostings(site: RunningSite, jobs: readonly PublicJob[]): Promise<void> {
  // The first reading of all published jobs hides others.
  const refreshes = site.mongo.collection('refreshes');
  await waitFor(async () => (await refreshes.countDocuments({ nextAt: { $gt: new Date(START) } })) > 0, {
    what: 'the end of the first reading',
  });
  const documents = jobs.map((job) => toPosting(job, Date.parse(START) - 24 * 3600_000));
  await site.mongo.collection<PostingDocument>('postings').insertMany(documents);
}

/** Stores open postings with nothing but what the sitemap reads. */
export async function storeIds(site: RunningSite, from: number, to: number): Promise<void> {
  const common = { state: 'open', version: 1, changedAt: new Date(START), closesAt: null };
  const postings = site.mongo.collection<{ _id: number }>('postings');
  for (let first = from; first <= to; first += BATCH) {
    const length = Math.min(BATCH, to - first + 1);
    await postings.insertMany(Array.from({ length }, (_, index) => ({ _id: first + index, ...common })));
  }
}

export const removePostings = (site: RunningSite) => site.mongo.collection('postings').deleteMany({});

/** Published jobs with these ids. */
export const publicJobs = (from: number, to: number, more: Partial<PublicJob> = {}): PublicJob[] =>
  Array.from({ length: to - from + 1 }, (_, index) => publicJob(from + index, more));
