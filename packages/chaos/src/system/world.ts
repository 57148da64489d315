import { type Client, connectOperator, createClient, type Keys } from '@joblisting/e2e/harness';
import type { Fleet } from './fleet.ts';
import type { Servers } from './servers.ts';

/** A company and clients that act for it. */
export interface World {
  readonly companyId: number;
  readonly keys: Keys;
  readonly metricsKeys: Keys;
  /** Clients of the first gateway. */
  readonly api: Client;
  readonly metrics: Client;
}

/** Makes a company, or takes the one of an earlier fleet on these servers, and new keys for it. */
export async function makeWorld(servers: Servers, fleet: Fleet, earlierCompanyId?: number): Promise<World> {
  const operator = await connectOperator(servers.nats.url);
  try {
    const companyId = earlierCompanyId ?? (await operator.company()).id;
    const [consumer, metricsConsumer, user] = await Promise.all([
      operator.consumerKey(),
      operator.consumerKey(['metrics:write']),
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
  } finally {
    await operator.close();
  }
}
