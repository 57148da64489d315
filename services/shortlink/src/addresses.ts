import { INT32_MIN } from '@joblisting/contracts';
import { ConfigError, isWebUrl } from '@joblisting/service-kit';
import { CODE_LENGTH } from './codes.ts';

/** The two addresses that lead to a job. */
export interface Addresses {
  /** `{PUBLIC_URL}/s/{code}`, which the gateway follows. */
  readonly short: (code: string) => string;
  /** `{SEARCH_URL}/Share/Job{id}`, where the job is shown (spec, "Job", url). */
  readonly share: (jobId: number) => string;
}

/** The most characters of a job's url (spec, "Limits"). */
const MAX_LENGTH = 128;

/** Throws ConfigError where a base is no web address, or so long that a job's url would not fit its field. */
export function addressesFrom(config: { PUBLIC_URL: string; SEARCH_URL: string }): Addresses {
  const addresses: Addresses = {
    short: (code) => `${withoutSlash(config.PUBLIC_URL)}/s/${code}`,
    share: (jobId) => `${withoutSlash(config.SEARCH_URL)}/Share/Job${jobId}`,
  };
  const problems = [
    ...problemsOf('PUBLIC_URL', config.PUBLIC_URL, addresses.short('x'.repeat(CODE_LENGTH))),
    ...problemsOf('SEARCH_URL', config.SEARCH_URL, addresses.share(INT32_MIN)),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return addresses;
}

function problemsOf(name: string, base: string, longest: string): string[] {
  if (!isWebUrl(base) || /[?#]/.test(base)) {
    return [`${name} must be an http or https address without query and fragment`];
  }
  const excess = longest.length - MAX_LENGTH;
  return excess > 0 ? [`${name} is ${excess} characters too long: a job's url has ${MAX_LENGTH}`] : [];
}

const withoutSlash = (base: string) => base.replace(/\/+$/, '');
