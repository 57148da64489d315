import { type Bitlink, bitlinkIn, errorCodeIn } from './bitlink.ts';
import { boundedText } from './bounded-text.ts';
import type { Outcome } from './outcome.ts';
import type { BitlySettings } from './settings.ts';

/** A link that bitly answered with. `isNew` is false where it had made it before. */
export interface Made {
  readonly bitlink: Bitlink;
  readonly isNew: boolean;
}

export type BitlyClient = ReturnType<typeof bitlyClient>;

const LONGEST_ANSWER = 64 * 1024;

/**
 * Speaks the API of bitly, version 4. Nothing here rejects. Redirects are not followed: the token goes to
 * nobody else. Connections are kept alive between calls.
 */
export function bitlyClient({ url, token, domain, group }: BitlySettings) {
  const send = (method: string, path: string, signal: AbortSignal, body?: object): Promise<Response> =>
    fetch(`${url}/v4${path}`, {
      method,
      redirect: 'manual',
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  return {
    /** `POST /v4/shorten`: 201 with a new link, 200 with the one that the group has for the address already. */
    shorten: async (longUrl: string, signal: AbortSignal): Promise<Outcome<Made>> => {
      const body = {
        long_url: longUrl,
        ...(domain !== undefined && { domain }),
        ...(group !== undefined && { group_guid: group }),
      };
      try {
        const answer = await send('POST', '/shorten', signal, body);
        if (answer.status !== 200 && answer.status !== 201) return await refusal(answer);
        const bitlink = bitlinkIn(await boundedText(answer, LONGEST_ANSWER));
        return bitlink
          ? { kind: 'done', value: { bitlink, isNew: answer.status === 201 } }
          : { kind: 'failed', reason: 'an answer without a usable link', isCertain: false, isRefusal: false };
      } catch (error) {
        return brokenOff(error, signal);
      }
    },

    /** `DELETE /v4/bitlinks/{bitlink}`. A link that is not there is done with. */
    remove: async (id: string, signal: AbortSignal): Promise<Outcome<undefined>> => {
      const path = id.split('/').map(encodeURIComponent).join('/');
      try {
        const answer = await send('DELETE', `/bitlinks/${path}`, signal);
        if (!answer.ok && answer.status !== 404 && answer.status !== 410) return await refusal(answer);
        await boundedText(answer, LONGEST_ANSWER).catch(() => '');
        return { kind: 'done', value: undefined };
      } catch (error) {
        return brokenOff(error, signal);
      }
    },
  };
}

async function refusal(answer: Response): Promise<Outcome<never>> {
  // The status is known: what its body is worth does not change it.
  const body = await boundedText(answer, LONGEST_ANSWER).catch(() => '');
  const { status, headers } = answer;
  const code = errorCodeIn(body);
  if (status === 429 || (status === 403 && (headers.has('x-ratelimit-reason') || LIMIT.test(code ?? '')))) {
    const isMonthly = MONTHLY.test(`${code} ${headers.get('x-ratelimit-reason')}`);
    return { kind: 'limited', retryAfter: headers.get('retry-after'), isMonthly };
  }
  const reason = ['status', status, code].join(' ').trimEnd();
  const isCertain = status >= 400 && status < 500;
  return { kind: 'failed', reason, isCertain, isRefusal: status === 400 };
}

/** Bitly answers with 403, not only with 429, to who is over one of its limits. */
const LIMIT = /LIMIT_EXCEEDED$|^MONTHLY_/;
const MONTHLY = /month/i;

/** No connection, so nothing was sent. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|(ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_?.*)$/;

function brokenOff(error: unknown, signal: AbortSignal): Outcome<never> {
  if (signal.aborted)
    return { kind: 'failed', reason: 'no answer in time', isCertain: false, isRefusal: false };
  const code = codeOf(error) ?? (Error.isError(error) ? (codeOf(error.cause) ?? error.name) : 'unknown');
  return { kind: 'failed', reason: code, isCertain: NOT_SENT.test(code), isRefusal: false };
}

const codeOf = (error: unknown): string | undefined =>
  Error.isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
