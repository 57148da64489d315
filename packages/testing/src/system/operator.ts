import { randomUUID } from 'node:crypto';
import { type Bus, connectBus } from '@joblisting/bus';
import {
  createCompany,
  issueConsumerKey,
  issueUserKey,
  type Operation,
  type ReplyOf,
  revokeKey,
  rotateKey,
  type Scope,
} from '@joblisting/contracts';

/** What an operator does over the bus: companies and keys. */
export async function connectOperator(natsUrl: string) {
  const bus = await connectBus({ url: natsUrl, name: 'operator' });
  return { ...operations(bus), bus, close: () => bus.close() };
}

/** Limits that no load reaches, though requests are counted. */
export const UNLIMITED = { readsPerMinute: 10_000_000, writesPerMinute: 10_000_000 };

/** What an operator may say of a new consumer key besides its scopes. */
export interface ConsumerKeyOptions {
  readonly expiresAt?: string;
  readonly readsPerMinute?: number;
  readonly writesPerMinute?: number;
}

function operations(bus: Bus) {
  const ask = async <O extends Operation>(
    operation: O,
    body: unknown,
    params: object = {},
  ): Promise<ReplyOf<O>> => {
    const context = { requestId: randomUUID(), deadline: Date.now() + 5000 };
    const reply = await bus.request(operation, { params: params as never, body, context });
    return reply.data;
  };
  return {
    company: (name = `Company ${randomUUID()}`) => ask(createCompany, { name }),
    consumerKey: (
      scopes: readonly Scope[] = ['jobs:read', 'jobs:write', 'categories:write'],
      more: ConsumerKeyOptions = {},
    ) => ask(issueConsumerKey, { name: 'Integrator', scopes, ...more }),
    userKey: (companyIds: readonly number[], more: object = {}) =>
      ask(issueUserKey, { name: 'Recruiting', companyIds, ...more }),
    rotate: (id: number, graceSeconds?: number) =>
      ask(rotateKey, graceSeconds === undefined ? {} : { graceSeconds }, { id }),
    revoke: (id: number) => ask(revokeKey, undefined, { id }),
  };
}
