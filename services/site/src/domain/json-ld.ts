import { routing } from '@joblisting/contracts';
import type { JobPosting, Place, WithContext } from 'schema-dts';
import { countryCodeOf, descriptionHtml, type FeedPosting, pageUrl, regionOf } from './feed-posting.ts';

/** By the ids of job types: the values that Google takes, from which an import gets the same types. */
const EMPLOYMENT_TYPES: Readonly<Record<number, string>> = {
  1: 'FULL_TIME',
  2: 'PART_TIME',
  3: 'CONTRACTOR',
  4: 'TEMPORARY',
  5: 'INTERN',
  6: 'VOLUNTEER',
  7: 'PER_DIEM',
  8: 'OTHER',
};

/** An open job as a schema.org JobPosting. `siteUrl` has no slash at the end. */
export function jobPosting(posting: FeedPosting, siteUrl: string): WithContext<JobPosting> {
  const page = pageUrl(siteUrl, posting._id);
  const isDirect = posting.routingId === routing.default;
  const types = posting.types.flatMap(({ id }) => EMPLOYMENT_TYPES[id] ?? []);
  const categories = posting.categories.map(({ name }) => name);
  const jobLocation = placeOf(posting);
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: posting.title,
    description: descriptionHtml(posting),
    identifier: {
      '@type': 'PropertyValue',
      name: posting.employer,
      value: posting.referenceId ?? String(posting._id),
    },
    datePosted: posting.displayDate,
    ...(posting.closesAt && { validThrough: posting.closesAt.toISOString() }),
    ...(types.length > 0 && { employmentType: types }),
    hiringOrganization: { '@type': 'Organization', name: posting.employer },
    ...(jobLocation && { jobLocation }),
    ...(categories.length > 0 && { occupationalCategory: categories }),
    directApply: isDirect,
    // An import makes `url` the job's applicationUrl, so the employer's own address gives an equal job.
    url: isDirect ? page : (posting.applicationUrl ?? page),
    mainEntityOfPage: page,
  };
}

/** A nation-wide job has a country alone. Whether a job is remote is not known, so nothing says so. */
function placeOf(posting: FeedPosting): Place | undefined {
  const region = regionOf(posting);
  const country = countryCodeOf(posting);
  if (posting.city === null && country === undefined) return undefined;
  return {
    '@type': 'Place',
    address: {
      '@type': 'PostalAddress',
      ...(posting.city !== null && { addressLocality: posting.city }),
      ...(region !== undefined && { addressRegion: region }),
      ...(country !== undefined && { addressCountry: country }),
    },
  };
}

/** JSON in which no text can end the `script` element around it. */
export const scriptJson = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
