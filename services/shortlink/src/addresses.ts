import { INT32_MIN } from '@joblisting/contracts';
import { isWebUrl } from '@joblisting/service-kit';
import { CODE_LENGTH } from './codes.ts';

/** The two addresses that lead to a job. */
export interface Addresses {
  /** `{PUBLIC_URL}/s/{code}`, which the gateway follows. */
  readonly short: (code: string) => string;
  /** `{SEARCH_URL}/Share/Job{id}`, where the job is shown (spec, "Job", url). */
  readonly share: (jobId: number) => string;
}

/** The most characters of a job's url (spec, "Limits"). */
export const URL_MAX_LENGTH = 128;

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

/** Says where a base is no web address, or so long that a job's url would not fit its field. */
export function addressProblems(bases: Bases): string[] {
  const { short, share } = addressesFrom(bases);
  return [
    ...problemsOf('PUBLIC_URL', bases.PUBLIC_URL, short('x'.repeat(CODE_LENGTH))),
    ...problemsOf('SEARCH_URL', bases.SEARCH_URL, share(INT32_MIN)),
  ];
}

function problemsOf(name: string, base: string, longest: string): string[] {
  if (!isWebUrl(base) || /[?#]/.test(base)) {
    return [`${name} must be an http or https address without query and fragment`];
  }
  const excess = longest.length - URL_MAX_LENGTH;
  return excess > 0 ? [`${name} is ${excess} characters too long: a job's url has ${URL_MAX_LENGTH}`] : [];
}

const withoutSlash = (base: string) => base.replace(/\/+$/, '');
