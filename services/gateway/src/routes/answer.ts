import type { RawReply } from '@joblisting/bus';
import type { Warning } from '@joblisting/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../addresses.ts';
import type { ReadyAnswer } from '../cache/answers.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { envelope } from '../http/envelope.ts';
import { entityTag, noneMatchHits } from '../http/etag.ts';
import { withLinks } from '../http/paging-links.ts';
import type { QueryEntry } from '../http/query.ts';
import type { Row } from './row.ts';

const statuses = { ok: 200, created: 201, deleted: 204 } as const;

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends an answer to a GET that is there already: it, or 304. */
export function sendReady({ body, tag }: ReadyAnswer, exchange: Exchange): void {
  const { reply } = exchange;
  if (isKnown(tag, exchange)) reply.code(304).send();
  else reply.type(JSON_TYPE).send(body);
}

/** Puts the tag on the answer. True where the client has named it. */
function isKnown(tag: string, { request, reply }: Exchange): boolean {
  reply.header('ETag', tag);
  return noneMatchHits(request.headers['if-none-match'], tag);
}

/** Sends what the operation replied, as HTTP has it: status, Location, ETag or 304, envelope. */
export function sendAnswer(
  row: Row,
  raw: RawReply,
  ownWarnings: readonly Warning[],
  addresses: Addresses,
  { request, reply }: Exchange,
): FastifyReply {
  reply.code(statuses[raw.outcome]);
  if (raw.replayed) reply.header('Idempotent-Replayed', 'true');
  if (raw.outcome === 'deleted') return reply.send();
  if (raw.outcome === 'created' && row.location && raw.id !== undefined) {
    reply.header('Location', addresses.of(row.location(raw.id)));
  }
  if (row.tagged) {
    const tag = entityTag(raw.version ?? 0, raw.data);
    const isNamed = isKnown(tag, { request, reply });
    if (row.method === 'GET' && isNamed) return reply.code(304).send();
  }
  const warnings = [...ownWarnings, ...(raw.warnings ?? [])];
  const paging = raw.paging && withLinks(raw.paging, addresses.of(row.path), request.query as QueryEntry[]);
  return reply.type(JSON_TYPE).send(envelope(raw.data, warnings, paging));
}
