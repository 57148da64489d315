import { CATEGORY_NAME_MAX, deceptiveInUrl, foldName } from '@joblisting/contracts';

/**
 * Checks of single strings, by the name of their schema `format`. One that is used without `maxLength` must take linear
 * time: `multiline-text`, `calendar-date` and `date-time` are.
 */

/** One line without control characters (C0, DEL, C1) and lone surrogates (API decisions, "Strings"). */
export const isText = (value: string): boolean => !/\p{Cc}/u.test(value) && value.isWellFormed();

/** The same, but tabs and line breaks are allowed. */
export const isMultilineText = (value: string): boolean =>
  !/[^\P{Cc}\t\n\r]/u.test(value) && value.isWellFormed();

/** Text with a character that is not white space. */
export const isVisibleText = (value: string): boolean => isText(value) && /\S/u.test(value);

/** A real calendar date YYYY-MM-DD, years 1970 to 9999 (API decisions, "Dates"). */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value < '1970') return false;
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** An instant as RFC 3339 has it, e.g. 2026-11-20T12:00:00Z. */
const isDateTime = (value: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T(?!24)\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(value) &&
  isCalendarDate(value.slice(0, 10)) &&
  !Number.isNaN(Date.parse(value));

/** The HTML standard's valid e-mail address (section 4.10.5.1.5). */
const isEmailAddress = (value: string): boolean =>
  value.length <= 1024 &&
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/.test(
    value,
  );

/** An absolute http or https URL with a host, by the URL standard, without user information (API decisions, "applicationUrl"). */
export function isWebUrl(value: string): boolean {
  if (deceptiveInUrl.test(value) || !value.isWellFormed()) return false;
  if (!/^https?:\/\/[^/?#]/i.test(value)) return false;
  const url = URL.parse(value);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  const authority = value.slice(value.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
  return url.hostname !== '' && !authority.includes('@');
}

export const formats = {
  text: isText,
  'multiline-text': isMultilineText,
  'visible-text': isVisibleText,
  // Tabs and line breaks are folded before it is stored.
  'category-name': (value: string) =>
    isMultilineText(value) && /\S/u.test(value) && Array.from(foldName(value)).length <= CATEGORY_NAME_MAX,
  'calendar-date': isCalendarDate,
  'date-time': isDateTime,
  'email-address': isEmailAddress,
  'web-url': isWebUrl,
} as const;
