import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { acceptsGzip } from '@joblisting/service-kit/http';
import type { FastifyInstance } from 'fastify';

export type Assets = ReturnType<typeof readAssets>;

const FOLDER = new URL('../../assets/', import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files in `assets/`, each at an address with a hash of its content: `site.css` at `/assets/site-<hash>.css`. */
export function readAssets() {
  const assets = readdirSync(fileURLToPath(FOLDER)).map((name) => {
    const bytes = readFileSync(new URL(name, FOLDER));
    const extension = extname(name);
    const stem = name.slice(0, -extension.length);
    const path = `/assets/${stem}-${hash('sha256', bytes, 'hex').slice(0, 12)}${extension}`;
    return { name, stem, extension, path, bytes, gzipped: gzipSync(bytes) };
  });
  return {
    all: assets,
    pathOf: (name: string): string => {
      const asset = assets.find((each) => each.name === name);
      if (!asset) throw new Error(`There is no asset ${name}.`);
      return asset.path;
    },
  };
}

/** Serves the assets. At an address of another release it sends this one's, not to be cached. */
export function serveAssets(server: FastifyInstance, { all }: Assets): void {
  for (const { stem, extension, path, bytes, gzipped } of all) {
    server.get(`/assets/${stem}-:hash(^[0-9a-f]{12}$)${extension}`, async (request, reply) => {
      const isGzip = acceptsGzip(request.headers['accept-encoding']);
      if (isGzip) reply.header('Content-Encoding', 'gzip');
      return reply
        .type(types[extension] ?? 'application/octet-stream')
        .header('Vary', 'Accept-Encoding')
        .header(
          'Cache-Control',
          request.url.endsWith(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        .send(isGzip ? gzipped : bytes);
    });
  }
}
