/** Longer than gateways remember revoked keys and a request lasts: no job of the company can be created after it. */
export const FINISH_AFTER_MS = 15_000;

/** What keeps a company from being deleted, in words; undefined if nothing does. */
export function contentInWords(jobs: number, applications: number): string | undefined {
  const parts = [counted(jobs, 'job'), counted(applications, 'application')].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' and ') : undefined;
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
