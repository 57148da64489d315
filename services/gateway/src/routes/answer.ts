import type { RawReply } from '@joblisting/bus';
import type { Warning } from '@joblisting/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { JSON_TYPE } from '../errors/accept.ts';
import { envelope } from '../http/envelope.ts';
import { entityTag, noneMatchHits } from '../http/etag.ts';
import { withLinks } from '../http/paging-links.ts';
import type { QueryEntry } from '../http/query.ts';
import type { Row } from './row.ts';

const statuses = { ok: 200, created: 201, deleted: 204 } as const;

/** Sends what the operation replied, as HTTP has it: status, Location, ETag or 304, envelope. */
export function sendAnswer(
  row: Row,
  raw: RawReply,
  ownWarnings: readonly Warning[],
  addresses: Addresses,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  reply.code(statuses[raw.outcome]);
  if (raw.replayed) reply.header('Idempotent-Replayed', 'true');
  if (raw.outcome === 'deleted') return reply.send();
  if (raw.outcome === 'created' && row.location && raw.id !== undefined) {
    reply.header('Location', addresses.of(row.location(raw.id)));
  }
  if (row.tagged) {
    const tag = entityTag(raw.version ?? 0, raw.data);
    reply.header('ETag', tag);
    if (row.method === 'GET' && noneMatchHits(request.headers['if-none-match'], tag)) {
      return reply.code(304).send();
    }
  }
  const warnings = [...ownWarnings, ...(raw.warnings ?? [])];
  const paging = raw.paging && withLinks(raw.paging, addresses.of(row.path), request.query as QueryEntry[]);
  return reply.type(JSON_TYPE).send(envelope(raw.data, warnings, paging));
}
