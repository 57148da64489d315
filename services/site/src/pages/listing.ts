import { showDate, showInstant } from '../domain/dates.ts';
import { placeOf } from '../domain/places.ts';
import { LAST_PAGE, PAGE_SIZE } from '../domain/search.ts';
import { excerpt } from '../domain/text.ts';
import type { ListedPosting } from '../store/search-store.ts';

const EXCERPT_CHARACTERS = 180;

/** What `parts/jobs` shows of a job. */
export const listedJob = (posting: ListedPosting, now: number) => ({
  path: `/Share/Job${posting._id}`,
  title: posting.title,
  employer: posting.employer,
  place: placeOf(posting),
  types: posting.types.map(({ name }) => name),
  date: posting.displayDate,
  shownDate: showDate(posting.displayDate),
  closes: posting.closesAt && showInstant(posting.closesAt, now),
  excerpt: excerpt(posting.plainText, EXCERPT_CHARACTERS),
});

/** One page of jobs, read with one job more than it shows. */
export function pageOf(found: readonly ListedPosting[], page: number, pathOf: (page: number) => string) {
  const hasNext = found.length > PAGE_SIZE;
  return {
    shown: found.slice(0, PAGE_SIZE),
    pager: {
      page,
      previous: page > 1 ? pathOf(page - 1) : undefined,
      next: hasNext && page < LAST_PAGE ? pathOf(page + 1) : undefined,
      isLast: hasNext && page === LAST_PAGE,
    },
  };
}

/** The rows of a page, and the first one of the next. */
export const rangeOf = (page: number) => ({ skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 });
