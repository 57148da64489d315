import { InvalidArgumentError } from 'commander';
import { isCalendarDate } from './postings/calendar.ts';

/** Reads a whole number from `minimum` to `maximum`. */
export function integer(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/u.test(text) || value < minimum || value > maximum)
      throw new InvalidArgumentError(`Give a whole number from ${minimum} to ${maximum}.`);
    return value;
  };
}

export function calendarDate(text: string): string {
  if (!isCalendarDate(text)) throw new InvalidArgumentError('Give a calendar date YYYY-MM-DD.');
  return text;
}

/** Reads a comma-separated list. */
export function listOf<T>(element: (text: string) => T): (text: string) => T[] {
  return (text) => text.split(',').map((part) => element(part.trim()));
}
