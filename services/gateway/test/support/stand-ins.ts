import {
  hashSecret,
  type KeyKind,
  keyPrefixes,
  type Operation,
  type Principal,
  resolveGrants,
  ServiceError,
  withChecksum,
} from '@joblisting/contracts';
import type { Clock, Handler } from '@joblisting/service-kit';
import { serveStandIns, type ServedStandIns, standIn } from '@joblisting/testing/system';

/** A well-formed secret that is the same for the same name. */
export const secretOf = (kind: KeyKind, name: string | number): string =>
  withChecksum(
    keyPrefixes[kind] +
      String(name)
        .replaceAll(/[^0-9A-Za-z]/g, '')
        .padEnd(32, 'X'),
  );

export const consumerKey = secretOf('consumer', 'consumer');
export const userKey = secretOf('user', 'user');
export const metricsKey = secretOf('consumer', 'metrics');
/** The search site's, which hands in applications. */
export const siteKey = secretOf('consumer', 'site');
export const keys = { 'Consumer-API-Key': consumerKey, 'User-API-Key': userKey };

export const principal: Principal = {
  consumerId: 7,
  scopes: [
    'jobs:read',
    'jobs:write',
    'categories:write',
    'applications:read',
    'applications:write',
    'events:read',
    'webhooks:write',
  ],
  userId: 70,
  companyIds: [1, 2],
};
export const metricsPrincipal: Principal = {
  consumerId: 8,
  scopes: ['metrics:write'],
  userId: null,
  companyIds: [],
};

export const sitePrincipal: Principal = {
  consumerId: 9,
  scopes: ['applications:write'],
  userId: null,
  companyIds: [],
};

/** Serves a stand-in of one operation, on its own connection. */
export const serveStandIn = <O extends Operation>(
  natsUrl: string,
  operation: O,
  handler: Handler<O>,
): Promise<ServedStandIns> => serveStandIns(natsUrl, operation.owner, [standIn(operation, handler)]);

/** The grants that the stand-in of `accounts` answers, by the hashes of a pair of keys. */
export type Accounts = Map<
  string,
  {
    principal: Principal;
    keyIds: number[];
    expiresAt: string | null;
    readsPerMinute?: number;
    writesPerMinute?: number;
  }
>;

export const pairOf = (consumer: string, user: string | null) =>
  `${hashSecret(consumer)} ${user === null ? null : hashSecret(user)}`;

export function demoAccounts(): Accounts {
  return new Map([
    [pairOf(consumerKey, userKey), { principal, keyIds: [100, 200], expiresAt: null }],
    [pairOf(metricsKey, null), { principal: metricsPrincipal, keyIds: [101], expiresAt: null }],
    [pairOf(siteKey, null), { principal: sitePrincipal, keyIds: [102], expiresAt: null }],
    [
      pairOf(metricsKey, userKey),
      { principal: { ...principal, scopes: ['metrics:write'] }, keyIds: [101, 200], expiresAt: null },
    ],
  ]);
}

/** The key headers of a consumer of its own. */
export function keysOfConsumer(accounts: Accounts, consumerId: number): Record<string, string> {
  const consumer = secretOf('consumer', consumerId);
  const grant = { principal: { ...principal, consumerId }, keyIds: [], expiresAt: null };
  accounts.set(pairOf(consumer, userKey), grant);
  return { 'Consumer-API-Key': consumer, 'User-API-Key': userKey };
}

/** Serves a stand-in of `accounts`. `lookUps` collects the pairs of keys that are looked up. */
export function standInAccounts(
  natsUrl: string,
  accounts: Accounts,
  lookUps: string[] = [],
): Promise<ServedStandIns> {
  return serveStandIn(natsUrl, resolveGrants, async ({ body }) => {
    const pair = `${body.consumer} ${body.user}`;
    lookUps.push(pair);
    const known = accounts.get(pair);
    if (!known) throw new ServiceError('unauthenticated');
    return { data: { readsPerMinute: null, writesPerMinute: null, ...known } };
  });
}

export const stoppedClock: Clock = { now: () => Date.parse('2026-11-20T10:00:00Z') };
