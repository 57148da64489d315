import { Resolver } from 'node:dns/promises';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { productVersion, withTimeout } from '@joblisting/service-kit';
import { type Access, isAllowed, literalOf } from '../domain/address.ts';
import type { SendResult } from '../domain/attempt.ts';
import { type Message, signedHeaders } from '../domain/message.ts';

/** How a receiver is found and trusted; tests bring their own. */
export interface Network {
  /** All addresses of a name; none if it has none. May reject. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  /** An authority to trust in place of the common ones, in PEM. */
  readonly ca?: string;
}

export interface Sending {
  readonly url: string;
  readonly message: Message;
  readonly secrets: readonly string[];
  readonly limitMs: number;
  /** Where connections are kept open between messages of one webhook; by default they are not. */
  readonly connections?: Connections;
}

export type Connections = ReturnType<typeof keptConnections>;

/** Connections to the addresses that were checked when they were opened. Close them soon: names move. */
export function keptConnections(most: number) {
  const options = { keepAlive: true, maxSockets: most };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  return {
    of: ({ protocol }: URL) => (protocol === 'https:' ? agents['https:'] : agents['http:']),
    close: (): void => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

export type SendMessage = (sending: Sending) => Promise<SendResult>;

/** Of an answer so much is read, and forgotten. */
const READ_BYTES = 16 * 1024;
const NAME_LIMIT_MS = 2000;
const BUSY = new Set([429, 503]);

/** Asks name servers alone: no search domains, and no threads that slow names could use up. */
export const systemNetwork: Network = {
  resolve: async (hostname) => {
    const resolver = new Resolver({ timeout: NAME_LIMIT_MS, tries: 2 });
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  },
};

/**
 * Sends a message once. The host is resolved once, every address is checked, and the connection is made to a checked
 * one, so a name that changes in between leads nowhere else. Redirects are not followed.
 */
export function messageSender(access: Access, { resolve, ca }: Network): SendMessage {
  const attempt = async ({ url: text, message, secrets, limitMs, connections }: Sending) => {
    const url = new URL(text);
    const signal = AbortSignal.timeout(limitMs);
    const literal = literalOf(url);
    const found = literal === undefined ? withTimeout(resolve(url.hostname), limitMs) : [literal];
    const addresses = await Promise.resolve(found).catch(() => []);
    if (addresses.length === 0) return { outcome: 'name_not_resolved' } as const;
    if (!isAllowed(url, addresses, access)) return { outcome: 'address_forbidden' } as const;
    // The receiver compares the time with its own clock.
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(message.body),
      'User-Agent': `job-listing-service/${productVersion}`,
      ...signedHeaders(message, secrets, new Date()),
    };
    const options = {
      method: 'POST',
      headers,
      lookup: lookupOf(addresses),
      signal,
      agent: connections?.of(url) ?? false,
      ...(ca && { ca }),
    };
    try {
      return answerOf(await post(url, options, message.body));
    } catch {
      return { outcome: signal.aborted ? 'timeout' : 'connection_failed' } as const;
    }
  };

  return async (sending) => {
    const startedAt = performance.now();
    const result = await attempt(sending);
    return { ...result, durationMs: Math.round(performance.now() - startedAt) };
  };
}

/** Answers every look-up with the addresses that were checked. */
const lookupOf = (addresses: readonly string[]): LookupFunction => {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all);
    else callback(null, all[0]?.address ?? '', all[0]?.family);
  };
};

/** Resolves to the answer once its body was read, or cut off. */
function post(url: URL, options: https.RequestOptions, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = url.protocol === 'https:' ? https : http;
  let answer: IncomingMessage | undefined;
  request(url, options)
    .on('response', (response) => {
      let read = 0;
      answer = response;
      response
        .on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > READ_BYTES) response.destroy();
        })
        .on('error', () => undefined)
        .once('close', () => resolve(response));
    })
    .on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response);
    })
    // After an answer its status counts, whatever happens to the body.
    .on('error', (error) => (answer ? resolve(answer) : reject(error)))
    .on('close', () =>
      answer ? undefined : reject(new Error('The connection was closed without an answer.')),
    )
    .end(body);
  return promise;
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage) {
  if (status >= 200 && status < 300) return { outcome: 'delivered', status } as const;
  const retryAfterMs = BUSY.has(status) ? readRetryAfter(headers['retry-after']) : undefined;
  return { outcome: 'refused', status, ...(retryAfterMs !== undefined && { retryAfterMs }) } as const;
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
