const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });

const dayAndYear = format({ day: 'numeric', month: 'long', year: 'numeric' });
const day = format({ day: 'numeric', month: 'long' });
const time = format({ hour: '2-digit', minute: '2-digit' });

/** "1 March 2026" for 2026-03-01. */
export const showDate = (date: string): string => dayAndYear.format(new Date(date));

/** "12 March, 12:00 UTC"; with the year where it is not this one. */
export function showInstant(instant: Date, now: number): string {
  const isThisYear = instant.getUTCFullYear() === new Date(now).getUTCFullYear();
  return `${(isThisYear ? day : dayAndYear).format(instant)}, ${time.format(instant)} UTC`;
}
