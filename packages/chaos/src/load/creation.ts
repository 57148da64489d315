import { type Answer, type Client, jobBody } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';

/** A request that creates one job however often it is sent, by its referenceId or its Idempotency-Key. */
export interface Creation {
  readonly title: string;
  readonly referenceId?: string;
  readonly key?: string;
  readonly send: () => Promise<Answer>;
  /** The status if the job exists and no key marks this as a repetition. */
  readonly repeatedStatus: number;
}

export const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';

/** Half of the creations are POST with a key alone, the others PUT or POST with a referenceId. */
export function newCreation({ api, companyId }: World, random: Random, name: string): Creation {
  const title = `${name} as created`;
  const categories = random.chance(0.3) ? [{ name: `Category ${random.whole(1, 20)}` }] : [];
  const body = jobBody(companyId, { title, categories });
  const dice = random.next();
  if (dice < 0.5) return keyed(api, title, body);
  const withReference = { ...body, referenceId: name };
  const byPost = dice < 0.65;
  return {
    title,
    referenceId: name,
    send: () => (byPost ? api.post('/jobs', withReference) : api.put('/jobs', withReference)),
    repeatedStatus: byPost ? 409 : 200,
  };
}

function keyed(api: Client, title: string, body: Record<string, unknown>): Creation {
  const key = crypto.randomUUID();
  return { title, key, send: () => sendKeyed(api, body, key), repeatedStatus: 201 };
}

export const sendKeyed = (
  api: Client,
  body: Record<string, unknown>,
  key: string,
  signal?: AbortSignal,
): Promise<Answer> =>
  api.post('/jobs', body, { headers: { 'Idempotency-Key': key }, ...(signal && { signal }) });
