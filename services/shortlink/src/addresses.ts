import { randomInt } from 'node:crypto';
import { INT32_MIN } from '@joblisting/contracts';
import { isWebUrl } from '@joblisting/service-kit';

/** The two addresses that lead to a job. */
export interface Addresses {
  /** `{PUBLIC_URL}/s/{code}`, which the gateway follows. */
  readonly short: (code: string) => string;
  /** `{SEARCH_URL}/Share/Job{id}`, where the job is shown (spec, "Job", url). */
  readonly share: (jobId: number) => string;
}

/** The most characters of a job's url (spec, "Limits"). */
export const URL_MAX_LENGTH = 128;

/** 62^7 is 3.5 million million codes: guessing one of a million links takes a million tries and more. */
export const CODE_LENGTH = 7;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A new random code. The primary key of the links keeps codes unique. @param random a whole number in [0, max) */
export function newCode(random: (max: number) => number = randomInt): string {
  return Array.from({ length: CODE_LENGTH }, () => BASE62[random(BASE62.length)]).join('');
}

interface Bases {
  readonly PUBLIC_URL: string;
  readonly SEARCH_URL: string;
}

export function addressesFrom({ PUBLIC_URL, SEARCH_URL }: Bases): Addresses {
  return {
    short: (code) => `${withoutSlash(PUBLIC_URL)}/s/${code}`,
    share: (jobId) => `${withoutSlash(SEARCH_URL)}/Share/Job${jobId}`,
  };
}

/** Lists each base that is not a web address, or is so long that a job's url would exceed its limit. */
export function addressProblems(bases: Bases): string[] {
  const { short, share } = addressesFrom(bases);
  return [
    ...problemsOf('PUBLIC_URL', bases.PUBLIC_URL, short('x'.repeat(CODE_LENGTH))),
    ...problemsOf('SEARCH_URL', bases.SEARCH_URL, share(INT32_MIN)),
  ];
}

function problemsOf(name: string, base: string, longest: string): string[] {
  if (!isBase(base)) return [`${name} must be an http or https address without query and fragment`];
  const excess = longest.length - URL_MAX_LENGTH;
  return excess > 0 ? [`${name} is ${excess} characters too long: a job's url has ${URL_MAX_LENGTH}`] : [];
}

/** Whether paths can be put behind it. */
export const isBase = (url: string): boolean => isWebUrl(url) && !/[?#]/.test(url);

export const withoutSlash = (base: string): string => base.replace(/\/+$/, '');
