import { countryCodeOf, descriptionHtml, type FeedPosting, pageUrl, stateOf } from './feed-posting.ts';

// Element names and values: https://docs.indeed.com/indeed-apply/xml-feed

const JOB_TYPES: Readonly<Record<number, string>> = {
  1: 'fulltime',
  2: 'parttime',
  3: 'contract',
  4: 'temporary',
  5: 'internship',
  6: 'volunteer',
  7: 'per diem',
  8: 'other',
};

/** Everything that is no `Char` of XML 1.0, lone surrogates included. */
const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Empty without a text. A `]]>` goes into two sections. */
function element(name: string, text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '';
  const safe = text.replaceAll(ILLEGAL, '').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<${name}><![CDATA[${safe}]]></${name}>\n`;
}

export interface FeedHead {
  readonly publisher: string;
  readonly siteUrl: string;
  readonly changedAt: Date;
}

export const indeedStart = ({ publisher, siteUrl, changedAt }: FeedHead): string =>
  '<?xml version="1.0" encoding="utf-8"?>\n<source>\n' +
  element('publisher', publisher) +
  element('publisherurl', siteUrl) +
  element('lastBuildDate', changedAt.toUTCString());

/** `referencenumber` must be unique in the feed, so it is the job's id: a referenceId is unique in its company only. */
export const indeedJob = (posting: FeedPosting, siteUrl: string): string =>
  '<job>\n' +
  element('title', posting.title) +
  element('date', posting.displayDate) +
  element('referencenumber', String(posting._id)) +
  element('requisitionid', posting.referenceId) +
  element('url', pageUrl(siteUrl, posting._id)) +
  element('company', posting.employer) +
  element('sourcename', posting.companyName) +
  element('city', posting.city) +
  element('state', stateOf(posting)) +
  element('country', countryCodeOf(posting)) +
  element('description', descriptionHtml(posting)) +
  element('jobtype', posting.types.flatMap(({ id }) => JOB_TYPES[id] ?? []).join(', ')) +
  element('category', posting.categories.map(({ name }) => name).join(', ')) +
  element('expirationdate', posting.closesAt?.toISOString()) +
  '</job>\n';

export const indeedEnd = '</source>\n';
