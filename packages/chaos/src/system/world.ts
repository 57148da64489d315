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
  /** Keys of several consumers, because one alone gets at most half of the gateway's concurrency. */
  readonly consumers: readonly Keys[];
  readonly metricsKeys: Keys;
  /** Clients of the first gateway. */
  readonly api: Client;
  readonly metrics: Client;
}

type Operator = Awaited<ReturnType<typeof connectOperator>>;

const CONSUMERS = 8;
const SCOPES: readonly Scope[] = ['jobs:read', 'jobs:write', 'categories:write', 'applications:write'];

export async function withOperator<T>(servers: Shared, work: (operator: Operator) => Promise<T>): Promise<T> {
  const operator = await connectOperator(servers.nats.url);
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** Creates a company and its keys, by default without effective rate limits. */
export const makeWorld = (
  servers: Shared,
  fleet: Fleet,
  limits: ConsumerKeyOptions = UNLIMITED,
): Promise<World> =>
  withOperator(servers, async (operator) => {
    const { id: companyId } = await operator.company();
    const [metricsConsumer, user, ...consumerKeys] = await Promise.all([
      operator.consumerKey(['metrics:write'], limits),
      operator.userKey([companyId]),
      ...Array.from({ length: CONSUMERS }, () => operator.consumerKey(SCOPES, limits)),
    ]);
    const consumers = consumerKeys.map(({ secret }) => ({ consumer: secret, user: user.secret }));
    const keys = consumers[0] as Keys;
    const metricsKeys = { consumer: metricsConsumer.secret };
    const origin = fleet.origins[0] as string;
    return {
      companyId,
      keys,
      consumers,
      metricsKeys,
      api: createClient(origin, keys),
      metrics: createClient(origin, metricsKeys),
    };
  });
