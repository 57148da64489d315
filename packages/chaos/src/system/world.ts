import type { Scope } from '@joblisting/contracts';
import {
  type Client,
  connectOperator,
  type ConsumerKeyOptions,
  createClient,
  type Fleet,
  type Keys,
  UNLIMITED,
} from '@joblisting/testing/system';
import type { Shared } from './servers.ts';

/** A company, and clients with its keys. */
export interface World {
  readonly companyId: number;
  readonly keys: Keys;
  readonly metricsKeys: Keys;
  /** Clients of the first gateway. */
  readonly api: Client;
  readonly metrics: Client;
}

type Operator = Awaited<ReturnType<typeof connectOperator>>;

const SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'categories:write'];

export async function withOperator<T>(servers: Shared, work: (operator: Operator) => Promise<T>): Promise<T> {
  const operator = await connectOperator(servers.nats.url);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** Makes a company and its keys, by default without effective rate limits. */
export const makeWorld = (
  servers: Shared,
  fleet: Fleet,
  limits: ConsumerKeyOptions = UNLIMITED,
): Promise<World> =>
  withOperator(servers, async (operator) => {
    const { id: companyId } = await operator.company();
    const [consumer, metricsConsumer, user] = await Promise.all([
      operator.consumerKey(SCOPES, limits),
      operator.consumerKey(['metrics:write'], limits),
      operator.userKey([companyId]),
    ]);
    const keys = { consumer: consumer.secret, user: user.secret };
    const metricsKeys = { consumer: metricsConsumer.secret };
    const origin = fleet.origins[0] as string;
    return {
      companyId,
      keys,
      metricsKeys,
      api: createClient(origin, keys),
      metrics: createClient(origin, metricsKeys),
    };
  });
