import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsGzip, noneMatchHits } from '@joblisting/service-kit/http';
import type { FastifyInstance } from 'fastify';
import { entityTag } from '../http/etag.ts';
import { PUBLIC } from '../http/headers.ts';

/** A page, or a file that pages load. */
export interface Page {
  readonly path: string;
  readonly type: string;
  readonly content: string | Buffer;
  /** The Content-Security-Policy of a page; other files have the server's. */
  readonly policy?: string;
}

interface Variant {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Serves bytes that are made once, compressed to those who take it. */
export async function servePages(server: FastifyInstance, pages: readonly Page[]): Promise<void> {
  await Promise.all(pages.map((page) => servePage(server, page)));
}

async function servePage(server: FastifyInstance, page: Page): Promise<void> {
  const bytes = Buffer.from(page.content);
  const plain = variantOf(page, bytes, {});
  const compressed = variantOf(page, await promisify(gzip)(bytes), { 'Content-Encoding': 'gzip' });
  const config = { operation: 'docs', isShared: true };
  server.get(page.path, { config }, async (request, reply) => {
    const { headers } = request;
    const variant = acceptsGzip(headers['accept-encoding']) ? compressed : plain;
    reply.headers(variant.headers);
    if (noneMatchHits(headers['if-none-match'], String(variant.headers['ETag'])))
      return reply.code(304).send();
    return reply.type(page.type).send(variant.bytes);
  });
}

function variantOf({ policy }: Page, bytes: Buffer, encoding: Record<string, string>): Variant {
  return {
    bytes,
    headers: {
      ETag: entityTag(0, bytes),
      'Cache-Control': PUBLIC,
      Vary: 'Accept-Encoding',
      ...encoding,
      ...(policy !== undefined && { 'Content-Security-Policy': policy }),
    },
  };
}
