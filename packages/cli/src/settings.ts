import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './import/client.ts';
import { isObject, listOf, property } from './values.ts';
import { type Environment, UsageError } from './terminal.ts';

export interface TargetFlags {
  readonly baseUrl?: string | undefined;
  readonly consumerKey?: string | undefined;
  readonly userKey?: string | undefined;
  readonly company?: number | undefined;
}

/** Reads a JSON file that `npm start` writes; undefined if it does not exist. */
export function readDataFile(directory: string, name: string): unknown {
  const path = join(directory, name);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (property(cause, 'code') === 'ENOENT') return undefined;
    const why = cause instanceof SyntaxError ? 'it is not valid JSON' : String(property(cause, 'message'));
    throw new UsageError(`Cannot read ${path}: ${why}. Delete it and run npm start, which writes it.`, {
      cause,
    });
  }
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/**
 * Resolves address, keys and company: each from its flag, else its environment variable, else the demo that `npm start`
 * creates. The demo's keys and companies apply to the demo's address only. Throws `UsageError` for a missing value.
 */
export function resolveTarget(
  flags: TargetFlags,
  environment: Environment,
  seeded: unknown,
): { target: Target; companyId: number } {
  const requestedUrl = checkedUrl(firstText(flags.baseUrl, environment['JOBS_BASE_URL']));
  const demoUrl = checkedUrl(firstText(property(seeded, 'baseUrl')));
  const demo = requestedUrl === undefined || requestedUrl === demoUrl ? seeded : undefined;
  const companies = listOf(property(demo, 'companies')).filter(isObject);
  const companyId = flags.company ?? companies[0]?.['id'];
  if (typeof companyId !== 'number')
    throw new UsageError('No company. Use --company, or start the demo: npm start.');
  const company = companies.find(({ id }) => id === companyId);
  const target = {
    baseUrl: requestedUrl ?? demoUrl,
    consumerKey: firstText(
      flags.consumerKey,
      environment['JOBS_CONSUMER_KEY'],
      property(demo, 'consumerKey'),
    ),
    userKey: firstText(flags.userKey, environment['JOBS_USER_KEY'], company?.['userKey']),
  };
  return {
    target: {
      baseUrl: requireSetting(
        target.baseUrl,
        'No address of the API. Use --base-url, or start the demo: npm start.',
      ),
      consumerKey: requireSetting(
        target.consumerKey,
        'No consumer key. Use --consumer-key, or create one: key issue --consumer NAME --scopes jobs:read,jobs:write.',
      ),
      userKey: requireSetting(
        target.userKey,
        `No user key for company ${companyId}. Use --user-key, or create one: key issue --user NAME --companies ${companyId}.`,
      ),
    },
    companyId,
  };
}

function requireSetting(value: string | undefined, remedy: string): string {
  if (value !== undefined) return value;
  throw new UsageError(remedy);
}

/** Without slashes and version at its end. Throws `UsageError` unless it is an http or https URL. */
function checkedUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw new UsageError(`The address of the API is http://HOST or https://HOST, not ${text}.`);
  return text.replace(/\/+$/u, '').replace(/\/v1\.0$/u, '');
}
