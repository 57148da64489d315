import { isWebUrl } from '@joblisting/service-kit';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { URL_MAX_LENGTH } from '../addresses.ts';
import type { BitlySettings } from '../config.ts';
import type { Bitlink } from '../models/link.ts';

/** The outcome of a call to bitly. */
export type Outcome<T> = { readonly kind: 'done'; readonly value: T } | Limited | Failed;

/** A limit of bitly is reached. */
interface Limited {
  readonly kind: 'limited';
  readonly pauseMs: number;
}

interface Failed {
  readonly kind: 'failed';
  /** Fit for the log: free text from outside could repeat the token. */
  readonly reason: string;
}

export type BitlyApi = ReturnType<typeof bitlyApi>;

/** An id must not lead a DELETE to another part of bitly's API. */
const BITLINK_ID = String.raw`^[\p{L}\p{N}][\p{L}\p{N}.-]*(:\d+)?/[\p{L}\p{N}_-]+$`;
const LinkAnswer = Type.Object({
  id: Type.String({ maxLength: URL_MAX_LENGTH, pattern: BITLINK_ID }),
  link: Type.String({ maxLength: URL_MAX_LENGTH }),
});
const ErrorAnswer = Type.Object({ message: Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,63}$' }) });

/**
 * A client of bitly's API, version 4. Its methods never reject. It follows no redirects, so nobody else gets the token.
 */
export function bitlyApi({ url, token, domain, group }: BitlySettings) {
  const send = async <T>(
    { method, path, body, signal }: BitlyRequest,
    read: (response: Response) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    try {
      const response = await fetch(`${url}/v4${path}`, {
        method,
        redirect: 'manual',
        signal,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return await read(response);
    } catch (error) {
      return { kind: 'failed', reason: signal.aborted ? 'no answer in time' : codeOf(error) };
    }
  };

  return {
    /** `POST /v4/shorten`: 201 with a new link, 200 with the one that the group has for the address already. */
    shorten: (longUrl: string, signal: AbortSignal): Promise<Outcome<Bitlink>> => {
      const body = {
        long_url: longUrl,
        ...(domain !== undefined && { domain }),
        ...(group !== undefined && { group_guid: group }),
      };
      return send<Bitlink>({ method: 'POST', path: '/shorten', body, signal }, async (response) => {
        if (response.status !== 200 && response.status !== 201) return refusalIn(response);
        const answer: unknown = await response.json();
        if (!Value.Check(LinkAnswer, answer) || !isWebUrl(answer.link)) {
          return { kind: 'failed', reason: 'an answer without a usable link' };
        }
        return { kind: 'done', value: { id: answer.id, url: answer.link } };
      });
    },

    /** `DELETE /v4/bitlinks/{bitlink}`. A missing link counts as removed. */
    remove: (id: string, signal: AbortSignal): Promise<Outcome<undefined>> => {
      const path = `/bitlinks/${id.split('/').map(encodeURIComponent).join('/')}`;
      return send<undefined>({ method: 'DELETE', path, signal }, async (response) => {
        if (!response.ok && response.status !== 404 && response.status !== 410) return refusalIn(response);
        await response.text();
        return { kind: 'done', value: undefined };
      });
    },
  };
}

interface BitlyRequest {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly signal: AbortSignal;
}

async function refusalIn(response: Response): Promise<Outcome<never>> {
  // The status says enough where the body cannot be read.
  const body: unknown = await response.json().catch(() => undefined);
  const { status, headers } = response;
  const code = Value.Check(ErrorAnswer, body) ? body.message : undefined;
  const limit = headers.get('x-ratelimit-reason');
  // Over some limits, bitly answers with 403 instead of 429.
  if (
    status === 429 ||
    (status === 403 && (limit !== null || /LIMIT_EXCEEDED$|^MONTHLY_/.test(code ?? '')))
  ) {
    const isMonthly = /month/i.test(`${code} ${limit}`);
    return { kind: 'limited', pauseMs: pauseFor(headers.get('retry-after'), isMonthly) };
  }
  return { kind: 'failed', reason: ['status', status, code].join(' ').trimEnd() };
}

const SHORTEST_PAUSE_MS = 1000;
/** No header makes the service pause for longer: bitly's longest period, except the month. */
const LONGEST_PAUSE_MS = 3_600_000;
/** Bitly's limits begin anew each minute and each hour, those of a plan each month. */
const DEFAULT_PAUSE_MS = 60_000;

/** The pause that a limit asks for: seconds or a date (RFC 9110, section 10.2.3); by default, from its period. */
export function pauseFor(retryAfter: string | null, isMonthly: boolean, now: number = Date.now()): number {
  const value = retryAfter?.trim() ?? '';
  const date = value.endsWith('GMT') ? Date.parse(value) - now : Number.NaN;
  const requestedMs = /^\d+$/.test(value) ? Number(value) * 1000 : date;
  if (Number.isNaN(requestedMs)) return isMonthly ? LONGEST_PAUSE_MS : DEFAULT_PAUSE_MS;
  return Math.min(Math.max(requestedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

/** `fetch` reports a broken connection in the cause of its error. */
function codeOf(error: unknown): string {
  const cause = Error.isError(error) && Error.isError(error.cause) ? error.cause : error;
  if (!Error.isError(cause)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
