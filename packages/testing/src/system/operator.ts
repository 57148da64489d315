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

/** Manages companies and keys over the bus. */
export async function connectOperator(natsUrl: string) {
  const bus = await connectBus({ url: natsUrl, name: 'operator' });
  return { ...operations(bus), bus, close: () => bus.close() };
}

/** Rate limits that no load reaches. */
export const UNLIMITED = { readsPerMinute: 10_000_000, writesPerMinute: 10_000_000 };

export interface ConsumerKeyOptions {
  readonly expiresAt?: string;
  readonly readsPerMinute?: number;
  readonly writesPerMinute?: number;
}

function operations(bus: Bus) {
  const request = async <O extends Operation>(
    operation: O,
    body: unknown,
    params: object = {},
  ): Promise<ReplyOf<O>> => {
    const context = { requestId: randomUUID(), deadline: Date.now() + 5000 };
    const reply = await bus.request(operation, { params: params as never, body, context });
    return reply.data;
  };
  return {
    company: (name = `Company ${randomUUID()}`) => request(createCompany, { name }),
    consumerKey: (
      scopes: readonly Scope[] = [
        'jobs:read',
        'jobs:write',
        'categories:write',
        'events:read',
        'webhooks:write',
      ],
      more: ConsumerKeyOptions = {},
    ) => request(issueConsumerKey, { name: 'Integrator', scopes, ...more }),
    userKey: (companyIds: readonly number[], more: object = {}) =>
      request(issueUserKey, { name: 'Recruiting', companyIds, ...more }),
    rotate: (id: number, graceSeconds?: number) =>
      request(rotateKey, graceSeconds === undefined ? {} : { graceSeconds }, { id }),
    revoke: (id: number) => request(revokeKey, undefined, { id }),
  };
}
