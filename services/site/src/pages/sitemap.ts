import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ErrorLevel, SitemapIndexStream, SitemapStream } from 'sitemap';
import { pageUrl, siteUrlOf } from '../domain/feed-posting.ts';
import type { ServerContext } from './context.ts';
import type { ServeStream } from './stream-reply.ts';

/** What a sitemap may hold: https://www.sitemaps.org/protocol.html */
const MAX_URLS = 50_000;
const TYPE = 'application/xml; charset=utf-8';

/**
 * `/sitemap.xml`: the open jobs, or an index of parts if they are too many. Part n holds the ids from n times 50,000 + 1
 * on, so a job never moves to another part.
 */
export function serveSitemap({ feeds, clock, config }: ServerContext, serve: ServeStream): void {
  const siteUrl = siteUrlOf(config.SEARCH_URL);

  async function* urls(now: number, after?: number, upTo?: number) {
    for await (const { id, changedAt } of feeds.readIds(now, after, upTo))
      yield { url: pageUrl(siteUrl, id), lastmod: changedAt.toISOString() };
  }
  async function* homeAndUrls(now: number) {
    yield { url: `${siteUrl}/` };
    yield* urls(now);
  }
  async function* parts() {
    for (let id = await feeds.nextId(0); id !== undefined;) {
      const part = Math.floor((id - 1) / MAX_URLS);
      yield { url: `${siteUrl}/sitemap-${part}.xml` };
      id = await feeds.nextId((part + 1) * MAX_URLS);
    }
  }

  serve('/sitemap.xml', async () => {
    const now = clock.now();
    const read = async () =>
      (await feeds.countOpen(MAX_URLS)) < MAX_URLS
        ? urlSet(homeAndUrls(now))
        : through(parts(), new SitemapIndexStream({ level: ErrorLevel.THROW }));
    return { type: TYPE, state: await feeds.readState(now), read };
  });

  serve('/sitemap-:part(^\\d{1,5}).xml', async ({ params }) => {
    const now = clock.now();
    const after = Number((params as { part: string }).part) * MAX_URLS;
    const first = await feeds.nextId(after);
    if (first === undefined || first > after + MAX_URLS) return undefined;
    const read = () => urlSet(urls(now, after, after + MAX_URLS));
    return { type: TYPE, state: await feeds.readState(now), read };
  });
}

const withoutExtensions = { news: false, video: false, xhtml: false, image: false };

const urlSet = (items: AsyncIterable<object>): AsyncIterable<Buffer> =>
  through(items, new SitemapStream({ level: ErrorLevel.THROW, xmlns: withoutExtensions }));

/** An error of `items` becomes one of the result. */
function through(items: AsyncIterable<object>, stream: SitemapStream | SitemapIndexStream) {
  const source = Readable.from(items);
  source.once('error', (error) => stream.destroy(error));
  stream.once('close', () => source.destroy());
  return source.pipe(stream) as AsyncIterable<Buffer>;
}

/** `/robots.txt`: pages of jobs and feeds for all; searches have no end, and the rest changes something. */
export function serveRobots(server: FastifyInstance, { config }: ServerContext): void {
  const siteUrl = siteUrlOf(config.SEARCH_URL);
  const path = new URL(siteUrl).pathname.replace(/\/$/, '');
  const closed = ['/?', '/companies/*?', '/count', '/Share/*/apply', '/Share/*/out'].map(
    (prefix) => `Disallow: ${path}${prefix}\n`,
  );
  const text = `User-agent: *\nAllow: /\n${closed.join('')}\nSitemap: ${siteUrl}/sitemap.xml\n`;
  server.get('/robots.txt', async (_request, reply) => reply.type('text/plain; charset=utf-8').send(text));
}
