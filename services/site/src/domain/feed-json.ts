import { descriptionHtml, type FeedPosting, pageUrl } from './feed-posting.ts';

// https://www.jsonfeed.org/version/1.1/

/** Where a page of the feed ends: newest first, then the higher id. */
export interface FeedPosition {
  readonly displayDate: string;
  readonly id: number;
}

export const writePosition = ({ displayDate, id }: FeedPosition): string => `${displayDate}_${id}`;

/** Undefined if it is no position. */
export function readPosition(text: string): FeedPosition | undefined {
  const [, displayDate, id] = /^(\d{4}-\d{2}-\d{2})_(\d{1,10})$/.exec(text) ?? [];
  return displayDate === undefined ? undefined : { displayDate, id: Number(id) };
}

/** All of the feed but its items and its end. */
export const jsonFeedStart = (title: string, siteUrl: string, feedUrl: string): string => {
  const head = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: `${siteUrl}/`,
    feed_url: feedUrl,
    language: 'en',
  };
  return `${JSON.stringify(head).slice(0, -1)},"items":[`;
};

export function jsonFeedItem(posting: FeedPosting, siteUrl: string): string {
  const url = pageUrl(siteUrl, posting._id);
  const tags = posting.categories.map(({ name }) => name);
  return JSON.stringify({
    id: url,
    url,
    ...(posting.applicationUrl !== null && { external_url: posting.applicationUrl }),
    title: posting.title,
    content_html: descriptionHtml(posting),
    date_published: `${posting.displayDate}T00:00:00Z`,
    authors: [{ name: posting.employer }],
    ...(tags.length > 0 && { tags }),
  });
}

/** `nextUrl` leads to older jobs. */
export const jsonFeedEnd = (nextUrl: string | undefined): string =>
  nextUrl === undefined ? ']}\n' : `],"next_url":${JSON.stringify(nextUrl)}}\n`;
