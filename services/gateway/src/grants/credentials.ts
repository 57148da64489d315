import type { IncomingHttpHeaders } from 'node:http';
import { hashSecret } from '@joblisting/contracts';

/** The keys that a request carries, as hashes: from here on no secret goes anywhere. */
export interface Credentials {
  readonly consumer: string | undefined;
  readonly user: string | undefined;
}

const BASIC = /^basic +([a-z0-9+/_-]+={0,2}) *$/i;

/**
 * Reads the two key headers or, for GET and HEAD, HTTP Basic with the consumer key as user and the user key as
 * password. The headers win (API decisions, "Browsers"). A header sent twice arrives joined and fits no key.
 */
export function credentialsOf(method: string, headers: IncomingHttpHeaders): Credentials {
  const consumer = headers['consumer-api-key'];
  const user = headers['user-api-key'];
  if (consumer !== undefined || user !== undefined) {
    return { consumer: hashOf(String(consumer ?? '')), user: hashOf(String(user ?? '')) };
  }
  const basic = method === 'GET' || method === 'HEAD' ? BASIC.exec(headers.authorization ?? '')?.[1] : '';
  const pair = Buffer.from(basic ?? '', 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  if (colon < 0) return { consumer: undefined, user: undefined };
  return { consumer: hashOf(pair.slice(0, colon)), user: hashOf(pair.slice(colon + 1)) };
}

const hashOf = (secret: string): string | undefined => (secret === '' ? undefined : hashSecret(secret));
