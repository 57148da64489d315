import { create as contentDisposition } from 'content-disposition';
import type { RawReply } from '@joblisting/bus';
import type { Warning } from '@joblisting/contracts';
import { noneMatchHits } from '@joblisting/service-kit/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Addresses } from '../addresses.ts';
import { envelope, withLinks } from '../http/envelope.ts';
import { entityTag, NOT_MODIFIED } from '../http/etag.ts';
import { DRY_RUN, JSON_TYPE } from '../http/headers.ts';
import type { QueryEntry } from '../http/query.ts';
import type { Row } from './row.ts';

const statuses = { ok: 200, created: 201, accepted: 202, deleted: 204 } as const;

/** An HTTP exchange under way. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends what the operation replied, as HTTP has it: status, Location, ETag or 304, envelope or file. */
export function sendReply(
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
  // A dry run shows what does not exist, so there is nothing that an ETag could name.
  const isTagged = row.tagged && !reply.hasHeader(DRY_RUN);
  const tag = isTagged ? entityTag(raw.version ?? 0, raw.data) : undefined;
  if (tag !== undefined) reply.header('ETag', tag);
  if (tag !== undefined && row.method === 'GET' && matchesIfNoneMatch(request, tag))
    return reply.code(NOT_MODIFIED).send();
  if (raw.file) return sendFile(raw.file, raw.data, reply);
  const warnings = [...ownWarnings, ...(raw.warnings ?? [])];
  const paging =
    raw.cursor ??
    (raw.paging && withLinks(raw.paging, addresses.of(pathOf(row, request)), request.query as QueryEntry[]));
  return reply.type(JSON_TYPE).send(envelope(raw.data, warnings, paging));
}

/** The path of the row with the request's values. */
const pathOf = ({ path }: Row, { params }: FastifyRequest): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  );

/** Sends a file's bytes. Browsers save them under the file's name, and never show them as a page of this origin. */
function sendFile(
  { name, type }: NonNullable<RawReply['file']>,
  bytes: Uint8Array,
  reply: FastifyReply,
): FastifyReply {
  // A lone surrogate cannot be percent-encoded.
  reply.header('Content-Disposition', contentDisposition(name.toWellFormed()));
  return reply.type(type).send(bytes);
}

/** The answer to a public read, ready to be sent to anybody. */
export interface PublicAnswer {
  readonly body: string | Buffer;
  readonly tag: string;
}

export const publicAnswer = ({ data, version = 0, warnings = [] }: RawReply): PublicAnswer => ({
  body: envelope(data, warnings),
  tag: entityTag(version, data),
});

/** Sends a public answer, or 304. */
export function sendPublicAnswer({ body, tag }: PublicAnswer, { request, reply }: Exchange): FastifyReply {
  reply.header('ETag', tag);
  return matchesIfNoneMatch(request, tag)
    ? reply.code(NOT_MODIFIED).send()
    : reply.type(JSON_TYPE).send(body);
}

const matchesIfNoneMatch = (request: FastifyRequest, tag: string): boolean =>
  noneMatchHits(request.headers['if-none-match'], tag);
