import type { Bus } from '@joblisting/bus';
import {
  type BodyOf,
  createCompany,
  hashSecret,
  issueConsumerKey,
  issueUserKey,
  resolveGrants,
} from '@joblisting/contracts';
import { type Log, ownCall } from '@joblisting/service-kit';
import { testClock } from '@joblisting/testing';
import { runService } from '@joblisting/testing/system';
import { accountsService } from '../src/index.ts';
import { standInOwners } from './owners-stand-in.ts';

export type Running = Awaited<ReturnType<typeof runAccounts>>;

/** The service with stand-ins of those that own what belongs to a company. */
export async function runAccounts(options: { readonly log?: Log } = {}) {
  const owners = standInOwners();
  const running = await runService(accountsService, {
    standIns: owners.standIns,
    clock: testClock('2026-03-01T12:00:00Z'),
    env: { LAST_USED_EVERY_MS: '50' },
    ...options,
  });
  return Object.assign(running, { owners });
}

export const context = () => ownCall(5000);

let lastName = 0;
/** A name that no other test uses. */
export const newName = () => `Company ${process.pid}-${++lastName}`;

/** The calls that most tests make. */
export const client = (bus: Bus) => ({
  company: async (name = newName()) =>
    (await bus.request(createCompany, { body: { name }, context: context() })).data,
  consumerKey: async (more: Partial<BodyOf<typeof issueConsumerKey>> = {}) => {
    const body = { name: 'Integration', scopes: ['jobs:read'], ...more };
    return (await bus.request(issueConsumerKey, { body, context: context() })).data;
  },
  userKey: async (companyIds: readonly number[], more: Partial<BodyOf<typeof issueUserKey>> = {}) => {
    const body = { name: 'Recruiter', companyIds, ...more };
    return (await bus.request(issueUserKey, { body, context: context() })).data;
  },
  resolve: async (consumer: string, user: string | null = null) => {
    const body = { consumer: hashSecret(consumer), user: user === null ? null : hashSecret(user) };
    return (await bus.request(resolveGrants, { body, context: context() })).data;
  },
});
