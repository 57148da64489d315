import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { acceptsGzip, noneMatchHits } from '@joblisting/service-kit/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkLimiter } from '../http/limits.ts';
import type { FeedState } from '../store/feed-store.ts';
import type { ServerContext } from './context.ts';

/** A feed keeps a connection to the database and, packed, a thread. */
const MAX_STREAMS = 4;
/** A network that reads slowly leaves room for others. */
const MAX_STREAMS_OF_A_NETWORK = 2;
const RETRY_AFTER_S = 30;
/** A write lands at most this long after the instant that it is stored with. */
const WRITE_LIMIT_MS = 30_000;

export interface StreamedReply {
  readonly type: string;
  readonly state: FeedState | undefined;
  /** What to send. Called only if the client needs it, and before the headers are sent. */
  readonly read: () => Promise<AsyncIterable<string | Buffer>> | AsyncIterable<string | Buffer>;
}

/** Serves GET and HEAD of `path`. 404 if `prepare` resolves to undefined. */
export type ServeStream = (
  path: string,
  prepare: (request: FastifyRequest) => Promise<StreamedReply | undefined>,
) => void;

/**
 * Sends feeds piece by piece, as fast as the client reads. An error or a slow client ends the connection without the end of
 * the body, so that nobody takes a part for the whole.
 */
export function streamReplies(server: FastifyInstance, { clock, config, log }: ServerContext): ServeStream {
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  const streams = networkLimiter(MAX_STREAMS, MAX_STREAMS_OF_A_NETWORK);

  const send = async (request: FastifyRequest, reply: FastifyReply, { type, state, read }: StreamedReply) => {
    const { etag, lastModified } = validatorsOf(state, clock.now());
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag });
    if (lastModified) reply.header('last-modified', lastModified.toUTCString());
    if (isCurrent(request, etag, lastModified)) return reply.code(304).send();
    reply.type(type);
    if (request.method === 'HEAD') return reply.send();
    if (!streams.tryAcquire(request.ip)) return refuse(reply);
    try {
      const body = await read();
      const isPacked = acceptsGzip(request.headers['accept-encoding']);
      if (isPacked) reply.header('content-encoding', 'gzip');
      reply.hijack();
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
      const limit = AbortSignal.timeout(config.FEED_LIMIT_MS);
      const stages = [Readable.from(body), ...(isPacked ? [createGzip()] : []), reply.raw];
      await pipeline(stages, { signal: AbortSignal.any([limit, closing.signal]) });
    } catch (err) {
      if (!reply.sent) {
        removeValidators(reply);
        throw err;
      }
      if (!hasLeft(err)) log.warn({ err, path: request.routeOptions.url }, 'a feed ended before its end');
    } finally {
      streams.release(request.ip);
    }
    return reply;
  };

  return (url, prepare) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const streamed = await prepare(request);
        return streamed ? send(request, reply, streamed) : reply.callNotFound();
      },
    });
}

/** The client closed the connection. */
const hasLeft = (err: unknown): boolean =>
  err instanceof Error && 'code' in err && err.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** They belong to the feed, not to an error. */
const removeValidators = (reply: FastifyReply) => {
  for (const name of ['etag', 'last-modified']) reply.removeHeader(name);
};

function refuse(reply: FastifyReply) {
  removeValidators(reply);
  return reply
    .code(503)
    .headers({ 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_S })
    .type('text/plain; charset=utf-8')
    .send(`Too many feeds are being read. Try again in ${RETRY_AFTER_S} seconds.\n`);
}

/**
 * Weak, as the packed feed has the same tag. Soon after a change, other writes may be under way whose instants are not later:
 * such a feed gets a tag that nothing matches later, and no date.
 */
function validatorsOf(state: FeedState | undefined, now: number): { etag: string; lastModified?: Date } {
  if (!state) return { etag: 'W/"0"' };
  const times = [state.changedAt.getTime(), state.closedAt?.getTime() ?? 0];
  const tag = times.map((time) => time.toString(36)).join('-');
  if (now - times[0]! < WRITE_LIMIT_MS) return { etag: `W/"${tag}-${now.toString(36)}"` };
  return { etag: `W/"${tag}"`, lastModified: changeOf(state) };
}

/** When the feed that `state` describes began to be as it is. */
export const changeOf = ({ changedAt, closedAt }: FeedState): Date =>
  closedAt && closedAt > changedAt ? closedAt : changedAt;

/** RFC 9110, 13.2.2: the date counts only without tags. */
function isCurrent({ headers }: FastifyRequest, etag: string, lastModified: Date | undefined): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return noneMatchHits(tags, etag.replace('W/', ''));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return lastModified !== undefined && Math.floor(lastModified.getTime() / 1000) * 1000 <= since;
}
