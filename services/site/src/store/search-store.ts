import { overloaded } from '@joblisting/contracts';
import { type Mongo, semaphore } from '@joblisting/service-kit';
import type { PipelineStage, QueryFilter } from 'mongoose';
import type { Criteria } from '../domain/search.ts';
import { type PostingDocument, postingModel } from '../models/posting.ts';
import { openAt } from './posting-document.ts';

export type SearchStore = ReturnType<typeof searchStore>;

/** What a list shows of a job. */
export type ListedPosting = Pick<
  PostingDocument,
  | '_id'
  | 'companyId'
  | 'title'
  | 'employer'
  | 'city'
  | 'province'
  | 'types'
  | 'displayDate'
  | 'closesAt'
  | 'plainText'
>;

export interface FacetCount<Value = string> {
  readonly value: Value;
  readonly count: number;
}

/** How many jobs a search finds, and how they spread; of no more than `COUNTED` of them. */
export interface Overview {
  readonly total: number;
  readonly category: readonly FacetCount[];
  readonly type: readonly FacetCount[];
  readonly employer: readonly FacetCount[];
  readonly province: readonly FacetCount[];
  readonly country: readonly FacetCount<{ readonly id: number; readonly name: string }>[];
}

export const COUNTED = 10_000;
const VALUES_OF_A_FACET = 10;
/** A search may not keep the database busy for longer. */
const LIMIT_MS = 1500;
const EXCERPT_CHARACTERS = 400;
/** By words: one takes up to 0.1 s of a core of the database, which the other pages need too. */
const WORD_SEARCHES = 4;
const WAITING_WORD_SEARCHES = 40;

const newest = { displayDate: -1, _id: -1 } as const;
const listed = {
  companyId: 1,
  title: 1,
  employer: 1,
  city: 1,
  province: 1,
  types: 1,
  displayDate: 1,
  closesAt: 1,
  plainText: { $substrCP: ['$plainText', 0, EXCERPT_CHARACTERS] },
} as const;

/** Each word is a phrase of its own, so all have to be there, and none is an operator. A lone word costs less without. */
const textSearch = (words: readonly string[]): string => {
  const [first = '', ...more] = words;
  const isPlain = more.length === 0 && /^[\p{L}\p{N}]+$/u.test(first);
  return isPlain ? first : words.map((word) => `"${word}"`).join(' ');
};

const filterOf = (criteria: Criteria, now: number): QueryFilter<PostingDocument> => ({
  ...openAt(now),
  ...(criteria.words.length > 0 && { $text: { $search: textSearch(criteria.words) } }),
  ...(criteria.places.length > 0 && { placeKeys: { $all: [...criteria.places] } }),
  ...(criteria.category !== undefined && { categoryKeys: criteria.category }),
  ...(criteria.typeId !== undefined && { 'types.id': criteria.typeId }),
  ...(criteria.employer !== undefined && { employerKey: criteria.employer }),
  ...(criteria.companyId !== undefined && { companyId: criteria.companyId }),
});

const countBy = (value: unknown, unwound?: `$${string}`): PipelineStage.FacetPipelineStage[] => [
  ...(unwound ? [{ $unwind: unwound }] : []),
  { $group: { _id: value, count: { $sum: 1 } } },
  { $match: { _id: { $ne: null } } },
  { $sort: { count: -1, _id: 1 } },
  { $limit: VALUES_OF_A_FACET },
  { $project: { _id: 0, value: '$_id', count: 1 } },
];

/** Finds open postings. Every search reads an index, in the order of its page if there are no words. */
export function searchStore(mongo: Mongo) {
  const postings = postingModel(mongo);
  const limited = { maxTimeMS: LIMIT_MS };
  const slots = semaphore(WORD_SEARCHES);
  /** Rejects with `overloaded` if too many wait. */
  const inTurn = async <T>({ words }: Criteria, search: () => Promise<T>): Promise<T> => {
    if (words.length === 0) return search();
    if (slots.pendingCount >= WAITING_WORD_SEARCHES) throw overloaded('service_concurrency');
    return slots(search);
  };

  return {
    /** The best matches of the words first, else the newest. */
    find: (
      criteria: Criteria,
      { skip = 0, limit }: { readonly skip?: number; readonly limit: number },
      now: number,
    ): Promise<ListedPosting[]> =>
      inTurn(criteria, () =>
        postings
          .aggregate<ListedPosting>([
            { $match: filterOf(criteria, now) },
            { $sort: criteria.words.length > 0 ? { score: { $meta: 'textScore' }, ...newest } : newest },
            { $skip: skip },
            { $limit: limit },
            { $project: listed },
          ])
          .option(limited)
          .exec(),
      ),

    overview: async (criteria: Criteria, now: number): Promise<Overview> => {
      const [counted] = await inTurn(criteria, () =>
        postings
          .aggregate<Omit<Overview, 'total'> & { readonly total: readonly { readonly count: number }[] }>([
            { $match: filterOf(criteria, now) },
            ...(criteria.words.length > 0 ? [] : [{ $sort: newest }]),
            { $limit: COUNTED + 1 },
            { $project: { _id: 0, categories: 1, types: 1, employer: 1, province: 1 } },
            {
              $facet: {
                total: [{ $count: 'count' }],
                category: countBy('$categories.name', '$categories'),
                type: countBy('$types.name', '$types'),
                employer: countBy('$employer'),
                province: countBy('$province.name'),
                country: countBy('$province.country'),
              },
            },
          ])
          .option(limited)
          .exec(),
      );
      if (!counted) throw new Error('The database did not count.');
      return { ...counted, total: counted.total[0]?.count ?? 0 };
    },

    /** The name of a company, from any job that is or was shown. */
    companyName: async (companyId: number): Promise<string | undefined> => {
      const posting = await postings
        .findOne({ companyId, state: { $in: ['open', 'closed'] } }, { companyName: 1 })
        .sort({ changedAt: -1 })
        .maxTimeMS(LIMIT_MS)
        .lean<Pick<PostingDocument, 'companyName'>>();
      return posting?.companyName;
    },
  };
}
