// Not by Intl, which takes a tenth of a page's time.
const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

const dayOf = (date: Date): string => `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;

const dayAndYear = (date: Date): string => `${dayOf(date)} ${date.getUTCFullYear()}`;

/** "1 March 2026" for 2026-03-01. */
export const showDate = (date: string): string => dayAndYear(new Date(date));

/** "12 March, 12:00 UTC"; with the year if it is not this one. */
export function showInstant(instant: Date, now: number): string {
  const isThisYear = instant.getUTCFullYear() === new Date(now).getUTCFullYear();
  return `${isThisYear ? dayOf(instant) : dayAndYear(instant)}, ${instant.toISOString().slice(11, 16)} UTC`;
}
