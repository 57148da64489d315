import type { PublicJob } from '@joblisting/contracts';
import { plainTextOf, safeMarkup } from '../domain/markup.ts';
import { placeKeys } from '../domain/places.ts';
import { excerpt, searchKey } from '../domain/text.ts';
import type { QueryFilter } from 'mongoose';
import type { PostingDocument } from '../models/posting.ts';

/** Finds open jobs. One that is still stored as open has closed all the same once `closesAt` has come. */
export const openAt = (now: number): QueryFilter<PostingDocument> => ({
  state: 'open',
  $or: [{ closesAt: null }, { closesAt: { $gt: new Date(now) } }],
});

/** Descriptions may have 4 MiB, and a page holds one several times. Longer ones are cut off. */
const SHOWN_CHARACTERS = 50_000;
/** Longer texts are found by their beginning. */
const SEARCHED_CHARACTERS = 20_000;

/** Ends the tags that the cut leaves open. */
const shownDescription = (description: string): string =>
  description.length <= SHOWN_CHARACTERS ? description : safeMarkup(excerpt(description, SHOWN_CHARACTERS));

/** What is stored of a Published job. */
export function toPosting(job: PublicJob, now: number): PostingDocument {
  const { company, province, categories, types } = job;
  const employer = job.employer ?? company.name;
  const description = shownDescription(job.description);
  return {
    _id: job.id,
    state: 'open',
    version: job.version,
    changedAt: new Date(now),
    referenceId: job.referenceId,
    companyId: company.id,
    companyName: company.name,
    employer,
    title: job.title,
    displayDate: job.displayDate,
    closesAt: job.closesAt === null ? null : new Date(job.closesAt),
    city: job.city,
    province: province && {
      id: province.id,
      name: province.name,
      country: { id: province.country.id, name: province.country.name },
    },
    categories: categories.map(({ id, name }) => ({ id, name })),
    types: types.map(({ id, name }) => ({ id, name })),
    description,
    descriptionFormat: job.descriptionFormat,
    routingId: job.applicantRoutingType.id,
    applicationUrl: job.applicationUrl,
    plainText: plainTextOf(description).slice(0, SEARCHED_CHARACTERS),
    placeKeys: placeKeys(job),
    categoryKeys: [...new Set(categories.map(({ name }) => searchKey(name)))],
    employerKey: searchKey(employer),
  };
}
