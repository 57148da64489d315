import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { ask, type TestGateway } from './support/gateway.ts';
import { nameOf, type PublicWorld, read, startPublicWorld } from './support/public-world.ts';

let world: PublicWorld;
let first: TestGateway;
beforeAll(async () => {
  world = await startPublicWorld();
  ({ first } = world);
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('a public answer', () => {
  it.each([
    ['/jobcategories/1', 'get 1'],
    ['/jobcategories', 'list 0'],
    ['/jobcategories?company.id=5', 'list 5'],
    ['/jobtypes', 'types'],
  ])('of %s is requested once and is the same again', async (path, question) => {
    const one = await read(first, path);
    const two = await read(first, path);
    expect([one.status, two.status, two.text]).toEqual([200, 200, one.text]);
    for (const header of ['etag', 'content-type', 'content-length', 'cache-control']) {
      expect([header, two.headers.get(header)]).toEqual([header, one.headers.get(header)]);
    }
    expect(two.headers.get('request-id')).not.toBe(one.headers.get('request-id'));
    expect(world.owner.requests).toEqual([question]);
  });

  it.each(['/jobcategories/1', '/jobtypes', '/countries', '/provinces?country.id=840'])(
    'of %s is 304 for a matching If-None-Match, and headers only for HEAD',
    async (path) => {
      const { headers, text } = await read(first, path);
      const etag = headers.get('etag')!;
      const known = await read(first, path, { 'If-None-Match': `"x", W/${etag}` });
      expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
      expect(known.headers.get('cache-control')).toBe('public, no-cache');
      const head = await ask(first.base + path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
      expect(world.owner.requests.length).toBeLessThanOrEqual(1);
    },
  );

  it('is kept by parameters, whatever their order and spelling', async () => {
    const idsOf = async (path: string) =>
      (await read(first, path)).body.data.map(({ id }: { id: number }) => id);
    for (const id of [0, 5, 6]) {
      expect(await idsOf(id === 0 ? '/jobcategories' : `/jobcategories?company.id=${id}`)).toEqual([id]);
    }
    expect(await idsOf('/jobcategories?company.id=%35')).toEqual([5]);
    expect(world.owner.requests).toEqual(['list 0', 'list 5', 'list 6']);
  });

  it('is requested each time where it depends on jobs', async () => {
    for (const path of ['?company.id=5&active', '?active=1&company.id=5', '?company.id=5&active']) {
      await read(first, `/jobcategories${path}`);
    }
    expect(world.owner.requests.length).toBe(3);
  });

  it('keeps the warnings of each request apart', async () => {
    await read(first, '/jobcategories/1');
    const warned = await read(first, '/jobcategories/1?nothing=1');
    expect(warned.body.warnings).toMatchObject([{ code: 'unknown_field', parameter: 'nothing' }]);
    expect((await read(first, '/jobcategories/1')).body.warnings).toEqual([]);
  });

  it.each(['/jobcategories/x', '/jobcategories?company.id=1&company.id=1', '/jobcategories/%zz'])(
    '400 for %s',
    async (path) => {
      await read(first, '/jobcategories/1');
      expect((await read(first, path)).status).toBe(400);
    },
  );

  it('is requested once by concurrent clients', async () => {
    const { came, goOn } = world.holdNext();
    const one = nameOf(first);
    await came;
    const others = [nameOf(first), nameOf(first)];
    goOn();
    expect(await Promise.all([one, ...others])).toEqual(Array(3).fill('Game Design'));
    expect(world.owner.requests).toEqual(['get 1']);
  });
});

describe('a failed request', () => {
  it.each(['category_not_found', 'unavailable', 'internal'] as const)('is not kept: %s', async (code) => {
    world.owner.refusal = new ServiceError(code);
    const { status } = await read(first, '/jobcategories/1');
    world.owner.refusal = undefined;
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await nameOf(first)).toBe('Game Design');
  });

  it('the last answer holds for a second while the owner is down, then 503', async () => {
    await nameOf(first);
    await world.stopReader();
    expect(await nameOf(first)).toBe('Game Design');
    world.pass(1000);
    expect(await read(first, '/jobcategories/1')).toMatchObject({
      status: 503,
      body: { code: 'unavailable' },
    });
  });
});
