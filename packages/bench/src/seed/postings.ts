import { randomFrom } from '@joblisting/testing';
import { description, sentence } from './texts.ts';

const DAY_MS = 24 * 3600_000;
const DESCRIPTION_LENGTH = 2800;
/** About a quarter of real postings use tags that the API does not allow. */
const ODD_ONE_IN = 4;

const encoded = (html: string): string =>
  html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Job postings as NDJSON: schema.org JobPosting, with entity-encoded HTML. @param now epoch ms */
export function postings(count: number, now: number): string {
  const random = randomFrom(3);
  const posting = (index: number): object => {
    const html = description(random, 'html', DESCRIPTION_LENGTH);
    const isOdd = random.below(ODD_ONE_IN) === 0;
    return {
      '@context': 'http://schema.org',
      '@type': 'JobPosting',
      datePosted: new Date(now - random.below(60) * DAY_MS).toISOString(),
      validThrough: new Date(now + (1 + random.below(60)) * DAY_MS).toISOString(),
      description: encoded(isOdd ? `<h2>${sentence(random)}</h2><p style="color: red">${html}</p>` : html),
      employmentType: 'FULL_TIME',
      hiringOrganization: { '@type': 'Organization', name: 'Northern Hospitals' },
      jobLocation: {
        '@type': 'Place',
        address: { '@type': 'PostalAddress', addressCountry: 'GB', addressLocality: 'LEEDS' },
      },
      title: sentence(random).slice(0, 60),
      url: `https://www.example.com/xi/vacancy/${915_000_000 + index}`,
    };
  };
  return Array.from({ length: count }, (_, index) => `${JSON.stringify(posting(index))}\n`).join('');
}
