import { describe, expect, it } from '@jest/globals';
import { useWorld } from '../../src/index.ts';

const world = useWorld();

describe('GET /openapi.json', () => {
  it('describes every endpoint of the spec', async () => {
    const { status, json } = await world.anonymous.send(`${world.origin}/openapi.json`);
    expect(status).toBe(200);
    expect(json.openapi).toMatch(/^3\.1/);
    const operations = Object.entries(json.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => ['get', 'post', 'put', 'delete'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path.replace(/^\/v1\.0/, '')}`),
    );
    expect(operations).toEqual(
      expect.arrayContaining([
        'GET /jobcategories/{id}',
        'POST /jobcategories',
        'PUT /jobcategories/{id}',
        'DELETE /jobcategories/{id}',
        'GET /jobcategories',
        'GET /jobs/{id}',
        'POST /jobs',
        'PUT /jobs/{id}',
        'PUT /jobs',
        'POST /jobs/batch',
        'POST /syncs',
        'GET /syncs/{id}',
        'POST /syncs/{id}/items',
        'POST /syncs/{id}/commit',
        'DELETE /jobs/{id}',
        'DELETE /jobs',
        'GET /jobs',
        'GET /jobtypes',
        'GET /countries',
        'GET /provinces',
        'POST /metrics/events',
        'GET /jobs/{jobId}/metrics',
      ]),
    );
  });
});

describe('GET /docs', () => {
  it('loads all assets from the gateway', async () => {
    let page = await world.anonymous.send(`${world.origin}/docs`);
    if (page.status >= 300 && page.status < 400)
      page = await world.anonymous.send(
        new URL(page.headers.get('location') ?? '', `${world.origin}/docs`).href,
      );
    expect(page.status).toBe(200);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
      ([, url]) => new URL(url ?? '', `${world.origin}/docs/`),
    );
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      expect(asset.origin).toBe(world.origin);
      expect((await fetch(asset)).status).toBe(200);
    }
  });
});

describe('health', () => {
  it.each(['/healthz', '/readyz'])('%s answers 200', async (path) => {
    expect((await fetch(`${world.origin}${path}`)).status).toBe(200);
  });
});
