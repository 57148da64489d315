import type { IncomingHttpHeaders } from 'node:http';
import { checkSecret, hashSecret } from '@joblisting/contracts';

/** Which keys a request needs: both, or only a consumer's (API decisions, "Keys"). */
export type Keys = 'keys' | 'consumer';

/** The hashes of the keys of a request. A key that it does not need is left out. */
export interface Credentials {
  /** One hash of all of them together, for the cache. */
  readonly id: string;
  readonly consumer: () => string;
  /** Null where it is not needed. */
  readonly user: () => string | null;
}

interface Secrets {
  readonly consumer: string;
  readonly user: string;
}

const BASIC = /^basic +([a-z0-9+/_-]+={0,2}) *$/i;
const NONE: Secrets = { consumer: '', user: '' };

/**
 * Reads the two key headers or, for GET and HEAD, HTTP Basic with the consumer key as user and the user key as
 * password. The headers win (API decisions, "Browsers"). A header sent twice arrives joined and fits no key.
 * Undefined where a key that is needed is missing or has a wrong checksum: such a key needs no look-up.
 */
export function credentialsOf(
  method: string,
  headers: IncomingHttpHeaders,
  keys: Keys,
): Credentials | undefined {
  const { consumer, user } = secretsOf(method, headers);
  const isUserNeeded = keys === 'keys';
  if (checkSecret(consumer) !== 'consumer') return undefined;
  if (isUserNeeded && checkSecret(user) !== 'user') return undefined;
  return {
    id: hashSecret(isUserNeeded ? consumer + user : consumer),
    consumer: () => hashSecret(consumer),
    user: () => (isUserNeeded ? hashSecret(user) : null),
  };
}

/** The fault of keys that `credentialsOf` does not take, such as `consumer missing, user malformed`: no part of a key. */
export function keyFaultOf(method: string, headers: IncomingHttpHeaders, keys: Keys): string {
  const secrets = secretsOf(method, headers);
  const needed = keys === 'keys' ? (['consumer', 'user'] as const) : (['consumer'] as const);
  return needed
    .filter((kind) => checkSecret(secrets[kind]) !== kind)
    .map((kind) => `${kind} ${secrets[kind] === '' ? 'missing' : 'malformed'}`)
    .join(', ');
}

function secretsOf(method: string, headers: IncomingHttpHeaders): Secrets {
  const consumer = headers['consumer-api-key'];
  const user = headers['user-api-key'];
  if (consumer !== undefined || user !== undefined) {
    return { consumer: String(consumer ?? ''), user: String(user ?? '') };
  }
  const basic = method === 'GET' || method === 'HEAD' ? BASIC.exec(headers.authorization ?? '')?.[1] : '';
  const pair = Buffer.from(basic ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? NONE : { consumer: pair.slice(0, colon), user: pair.slice(colon + 1) };
}
