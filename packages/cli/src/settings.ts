import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './api/client.ts';
import { isObject, listOf, property } from './postings/json.ts';
import { UsageError } from './usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TargetFlags {
  readonly baseUrl?: string | undefined;
  readonly consumerKey?: string | undefined;
  readonly userKey?: string | undefined;
  readonly company?: number | undefined;
}

/** A JSON file that `npm start` writes for scripts; undefined where there is none. */
export function readDataFile(directory: string, name: string): unknown {
  const path = join(directory, name);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (property(cause, 'code') === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${String(property(cause, 'message'))}`);
  }
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/**
 * Where to send, as whom, and for which company: each from its flag, else its environment variable, else the
 * demo that `npm start` seeds. With another address than the demo's, nothing is taken from the demo: its keys
 * are no business of that API, and its first company is somebody else there. Throws `UsageError` for what is found
 * nowhere.
 */
export function resolveTarget(
  flags: TargetFlags,
  environment: Environment,
  seeded: unknown,
): { target: Target; companyId: number } {
  const asked = checkedUrl(firstText(flags.baseUrl, environment['JOBS_BASE_URL']));
  const ofDemo = checkedUrl(firstText(property(seeded, 'baseUrl')));
  const demo = asked === undefined || asked === ofDemo ? seeded : undefined;
  const companies = listOf(property(demo, 'companies')).filter(isObject);
  const companyId = flags.company ?? companies[0]?.['id'];
  if (typeof companyId !== 'number')
    throw new UsageError(
      'Say for which company: --company N (only the demo that npm start seeds has one to start with).',
    );
  const company = companies.find(({ id }) => id === companyId);
  const target = {
    baseUrl: asked ?? ofDemo,
    consumerKey: firstText(
      flags.consumerKey,
      environment['JOBS_CONSUMER_KEY'],
      property(demo, 'consumerKey'),
    ),
    userKey: firstText(flags.userKey, environment['JOBS_USER_KEY'], company?.['userKey']),
  };
  return {
    target: {
      baseUrl: given(target.baseUrl, '--base-url', 'JOBS_BASE_URL'),
      consumerKey: given(target.consumerKey, '--consumer-key', 'JOBS_CONSUMER_KEY'),
      userKey: given(target.userKey, '--user-key', 'JOBS_USER_KEY', ` for company ${companyId}`),
    },
    companyId,
  };
}

function given(value: string | undefined, flag: string, variable: string, what = ''): string {
  if (value !== undefined) return value;
  throw new UsageError(
    `Nothing says ${flag}${what}: neither the flag, nor ${variable}, nor the demo that npm start seeds.`,
  );
}

/** Without slashes at its end. Throws `UsageError` for what is no address of an API. */
function checkedUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw new UsageError(`The base URL must be an http or https address that ends in the version: ${text}`);
  return text.replace(/\/+$/u, '');
}
