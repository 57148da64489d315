import { afterAll, beforeAll } from '@jest/globals';
import type { Scope } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import {
  type Answer,
  type Client,
  connectOperator,
  createClient,
  type SystemAddress,
} from '@joblisting/testing/system';

type Operator = Awaited<ReturnType<typeof connectOperator>>;

/** Two unrelated companies and their clients. */
export interface World {
  readonly origin: string;
  readonly operator: Operator;
  readonly companyId: number;
  readonly companyName: string;
  readonly otherCompanyId: number;
  readonly consumerKey: string;
  readonly userKey: string;
  /** Acts for the first company. */
  readonly api: Client;
  /** Acts for the other company. */
  readonly otherApi: Client;
  /** Sends no keys. */
  readonly anonymous: Client;
}

/** The system that all files share, without mail. */
export interface SharedSystem extends SystemAddress {
  /** Origin of the job-search site. */
  readonly siteOrigin: string;
  readonly databasePrefix: string;
  readonly services: readonly { readonly pid: number; readonly healthUrl: string }[];
}

/** The global set-up starts it. */
export function sharedSystem(): SharedSystem {
  const address = process.env['E2E_SYSTEM'];
  if (!address) throw new Error('E2E_SYSTEM is not set: run jest with the configuration of packages/e2e.');
  return JSON.parse(address) as SharedSystem;
}

/** Creates a world before the tests of a file. Read its properties only inside tests. */
export function useWorld(system: () => SystemAddress = sharedSystem): World {
  const world = {} as { -readonly [K in keyof World]: World[K] };
  beforeAll(async () => Object.assign(world, await makeWorld(system())), 60_000);
  afterAll(async () => world.operator?.close());
  return world;
}

/** @param keyScopes of the consumer key; by default those of an integrator */
export async function makeWorld({ origin, natsUrl }: SystemAddress, keyScopes?: Scope[]): Promise<World> {
  const operator = await connectOperator(natsUrl);
  const [company, other] = await Promise.all([operator.company(), operator.company()]);
  const [consumer, user, otherUser] = await Promise.all([
    operator.consumerKey(keyScopes),
    operator.userKey([company.id]),
    operator.userKey([other.id]),
  ]);
  return {
    origin,
    operator,
    companyId: company.id,
    companyName: company.name,
    otherCompanyId: other.id,
    consumerKey: consumer.secret,
    userKey: user.secret,
    api: createClient(origin, { consumer: consumer.secret, user: user.secret }),
    otherApi: createClient(origin, { consumer: consumer.secret, user: otherUser.secret }),
    anonymous: createClient(origin),
  };
}

/** The id of what a set-up creates. Repeats a request that a busy system refused with 503 or 504. */
export async function createdId(create: () => Promise<Answer>): Promise<number> {
  let answer: Answer | undefined;
  await waitFor(
    async () => {
      answer = await create();
      return answer.status !== 503 && answer.status !== 504;
    },
    { limitMs: 30_000, what: () => `an answer other than ${answer?.text}` },
  );
  if (answer?.status !== 201) throw new Error(`Nothing was created: ${answer?.status} ${answer?.text}`);
  return answer.json.data.id;
}
