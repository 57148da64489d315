import { type Random, randomFrom } from '@joblisting/testing';
import { dateIn } from '@joblisting/testing/system';
import { description, sentence } from './texts.ts';

const titles = ['Nurse', 'Software Engineer', 'Teacher', 'Account Manager', 'Electrician', 'Data Analyst'];
const cities = ['Utrecht', 'Toronto', 'Leeds', 'Austin', 'Melbourne', 'Cork'];
const employers = ['Northern Hospitals', 'River Software', 'City Schools', 'Harbour Freight'];
/** Gives a job of about 2 KB. */
const DESCRIPTION_LENGTH = 1350;

export interface BodyOptions {
  readonly companyId: number;
  readonly format: 'text' | 'html';
  /** From today. */
  readonly publishInDays: number;
  readonly closeInDays: number | null;
  readonly categoryIds?: readonly number[];
}

/** The body of a new job as an employer sends it. */
export function postBody(random: Random, options: BodyOptions): Record<string, unknown> {
  const { companyId, format, publishInDays, closeInDays, categoryIds = [] } = options;
  return {
    company: { id: companyId },
    employer: random.pick(employers),
    title: `Senior ${random.pick(titles)}, ${sentence(random).slice(0, 40)}`,
    publishDate: dateIn(publishInDays),
    closeDate: closeInDays === null ? null : dateIn(closeInDays),
    city: random.pick(cities),
    province: { country: { id: 840 } },
    categories: categoryIds.map((id) => ({ id })),
    types: [{ id: 1 + random.below(5) }],
    description: description(random, format, DESCRIPTION_LENGTH),
    descriptionFormat: format,
    applicantRoutingType: { id: 1 },
    applicationEmails: ['recruiting@example.com'],
  };
}

const PERIOD_DAYS = 730;
const MAX_OPEN_DAYS = 90;

/**
 * The body of one template. Their publish dates are spread over two years, so most are closed and a few pending. Every
 * other one has two categories.
 */
function templateBody(random: Random, companyId: number, index: number, count: number) {
  const publishInDays = Math.round((index * PERIOD_DAYS) / count) - PERIOD_DAYS + 14;
  const closeInDays = random.below(4) === 0 ? null : publishInDays + 20 + random.below(MAX_OPEN_DAYS);
  const categoryIds = hasCategories(index) ? [1 + random.below(11), 12 + random.below(11)] : [];
  const format = random.below(2) === 0 ? 'html' : 'text';
  return postBody(random, { companyId, format, publishInDays, closeInDays, categoryIds });
}

const SEED = 20_260_101;

/** The bodies of all templates, the same each day except for their dates. */
export const templateBodies = (companyId: number, count: number) =>
  Array.from({ length: count }, (_, index) =>
    templateBody(randomFrom(SEED + index), companyId, index, count),
  );

/** Whether a template and its copies have categories. */
export const hasCategories = (index: number): boolean => index % 2 === 0;
