import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@joblisting/testing';
import { readGuides } from '../src/docs/files.ts';
import { guideNames } from '../src/docs/guides.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { askRaw } from './support/raw.ts';

const guides = guideNames.map((name) => `/docs/${name}`);
const pages = ['/', '/docs', '/docs/errors', '/docs/reference', ...guides];
const files = ['/docs/style.css', '/docs/icon.svg', '/docs/scalar.js', '/docs/reference.js'];
const forPrograms = ['/llms.txt', '/openapi.json', '/asyncapi.json', ...guides.map((path) => `${path}.md`)];

let gateway: TestGateway;

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(gateway.origin + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

beforeAll(async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  gateway = await startGateway({
    PORT: String(port),
    PUBLIC_URL: origin,
    SEARCH_URL: 'https://search.example.com',
  });
});
afterAll(() => gateway.stop());

describe('the pages', () => {
  it.each([...pages, ...files, ...forPrograms])('%s is served from here', async (path) => {
    const { status, headers, text } = await read(path);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toBe('public, no-cache');
    if (pages.includes(path)) expect(text).not.toMatch(/<(link|script|img|iframe)[^>]*(src|href)="https?:/);
  });

  it.each([...pages, ...files, ...forPrograms])(
    '%s is 304 for who has it, compressed or not',
    async (path) => {
      for (const encoding of ['identity', 'gzip']) {
        const { headers } = await read(path, { 'Accept-Encoding': encoding });
        expect(headers.get('vary')).toContain('Accept-Encoding');
        const tag = String(headers.get('etag'));
        const again = await read(path, { 'Accept-Encoding': encoding, 'If-None-Match': tag });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
      }
    },
  );

  it.each([
    ['gzip', 'gzip'],
    ['br, GZIP;q=0.5', 'gzip'],
    ['identity', undefined],
    ['gzip;q=0', undefined],
    ['gzip; q=0.0, br', undefined],
    ['x-gzip-like', undefined],
  ])('are compressed by what Accept-Encoding says: %s', async (sent, encoding) => {
    const path = `${gateway.origin}/docs/style.css`;
    const { headers } = await askRaw(path, 'GET', { 'Accept-Encoding': sent });
    expect(headers['content-encoding']).toBe(encoding);
  });

  it('are the same bytes compressed and not', async () => {
    const path = `${gateway.origin}/docs/sync`;
    const response = await fetch(path, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(await response.text()).toBe((await askRaw(path, 'GET')).text);
  });

  it('may load their style sheet, and scripts only the reference', async () => {
    for (const path of pages) {
      const policy = String((await read(path)).headers.get('content-security-policy'));
      if (path === '/docs/reference') {
        expect(policy).toMatch(/script-src 'self';/);
      } else {
        expect(policy).not.toMatch(/script-src|unsafe/);
        expect(policy).toContain("style-src 'self'");
      }
    }
  });

  it('have no script or style between their lines', async () => {
    for (const path of pages) {
      expect((await read(path)).text).not.toMatch(/<style|<script(?![^>]* src=)|\son\w+="|\sstyle="/);
    }
  });

  it('lead only to what is there', async () => {
    const missing: string[] = [];
    for (const path of pages) {
      for (const target of linksIn((await read(path)).text)) {
        const { pathname, hash, origin } = new URL(target, gateway.origin + path);
        if (origin !== gateway.origin) continue;
        const { status, text } = await read(pathname);
        const isThere = hash === '' || text.includes(` id="${hash.slice(1)}"`);
        if (status !== 200 || !isThere) missing.push(`${path} -> ${target}`);
      }
    }
    expect(missing).toEqual([]);
  });

  it('have one h1, and no heading that skips a level', async () => {
    for (const path of pages) {
      const { text } = await read(path);
      const levels = [...text.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
      expect([path, levels[0], levels.filter((level) => level === 1).length]).toEqual([path, 1, 1]);
      for (const [index, level] of levels.entries()) {
        expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
      }
    }
  });

  it.each([
    '/docs/static/../../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/guides',
    '/docs/nothing.md',
  ])('%s is not there', async (path) => {
    expect((await askRaw(gateway.origin + path, 'GET')).status).toBe(404);
  });
});

describe('GET /', () => {
  it('leads to the public site, the docs, health and the description', async () => {
    const { text } = await read('/');
    for (const target of [
      'https://search.example.com',
      '/docs',
      '/docs/reference',
      '/healthz',
      '/openapi.json',
    ]) {
      expect(linksIn(text)).toContain(target);
    }
  });

  it('has no link to the public site where none is configured, and keeps the prefix of the public address', async () => {
    const other = await startGateway({ PUBLIC_URL: 'https://example.com/listing' }, { beside: gateway });
    try {
      const text = await (await fetch(other.origin)).text();
      expect(linksIn(text)).toContain('/listing/docs');
      expect(
        linksIn(text).filter((target) => !target.startsWith('/listing/') && target !== '#content'),
      ).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});

describe('a guide', () => {
  it.each(guides)('%s is there as HTML and as Markdown, with the public address', async (path) => {
    const html = await read(path);
    const markdown = await read(`${path}.md`);
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const [, title] = /^# (.+)\n/.exec(markdown.text) ?? [];
    expect(html.text).toContain(`>${title}</h1>`);
    for (const { text } of [html, markdown]) {
      expect(text).toContain(`${gateway.origin}/v1.0`);
      expect(text).not.toContain('{{');
    }
    expect(markdown.text).not.toContain('](/');
  });

  it('is in the list of guides if it has a file', async () => {
    expect([...(await readGuides()).keys()].toSorted()).toEqual(guideNames.toSorted());
  });

  it.each(['/docs', ...guides])('is in its order on %s', async (path) => {
    const links = linksIn((await read(path)).text).filter((target) => guides.includes(target));
    // A guide leads to others in its text, after the list.
    expect(links.slice(0, guides.length)).toEqual(guides);
  });

  it('is in its order in /llms.txt', async () => {
    const { text } = await read('/llms.txt');
    const listed = [...text.matchAll(/\(([^)]+\.md)\)/g)].map(([, target]) => target);
    expect(listed).toEqual(guides.map((path) => `${gateway.origin}${path}.md`));
  });
});

describe('GET /docs/reference', () => {
  it('lists every operation before its script has run', async () => {
    const { text } = await read('/docs/reference');
    const { paths } = JSON.parse((await read('/openapi.json')).text) as { paths: Record<string, object> };
    const operations = Object.values(paths).flatMap((item) => Object.values(item)) as {
      operationId?: string;
    }[];
    const ids = operations.flatMap(({ operationId }) => operationId ?? []);
    expect(ids).toContain('followShortLink');
    for (const operationId of ids) {
      expect(text).toContain(`<a href="#${operationId}">`);
      expect(text).toContain(`<section id="${operationId}">`);
    }
  });
});

/** The targets of links and of what a page loads. */
const linksIn = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src|data-description)="([^"]+)"/g)].map(([, target = '']) => target);
