import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'content-disposition';
import { ServiceError } from '@joblisting/contracts';
import { type ApplicationsWorld, companyKeys, startApplicationsWorld } from './support/applications.ts';

let world: ApplicationsWorld;
/** Every byte, and more than one chunk. */
const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
const file = { name: 'Ada Park.pdf', type: 'application/pdf' };

const download = (
  headers: Record<string, string> = {},
  path = '/applications/9001/files/1',
  method = 'GET',
) => fetch(world.gateway.base + path, { method, headers: { ...companyKeys, ...headers } });

beforeAll(async () => {
  world = await startApplicationsWorld();
});
afterAll(() => world.stop());
beforeEach(() => {
  world.reset();
  world.reply = () => ({ version: 4, data: content, file });
});

describe('GET /applications/{id}/files/{fileId}', () => {
  it('200 with the bytes of the file and nothing around them', async () => {
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(world.seen).toMatchObject([
      { subject: 'applications.v1.files.get', params: { id: 9001, fileId: 1 } },
    ]);
  });

  it('cannot become a page of this origin, nor be kept by a shared cache', async () => {
    world.reply = () => ({
      data: Buffer.from('<script>alert(1)</script>'),
      file: { name: 'a.html', type: 'text/html' },
    });
    const { headers } = await download();
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': 'attachment; filename=a.html',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'private, no-cache',
    });
  });

  it.each([
    ['quotes and backslashes', 'the "plan" \\ of.pdf', 'the "plan" \\ of.pdf'],
    ['other scripts', 'Lebenslauf Zoë 履歴書 😀.pdf', 'Lebenslauf Zoë 履歴書 😀.pdf'],
    ['a percent sign', '100%41.pdf', '100%41.pdf'],
    ['a semicolon', 'a; filename=b.exe', 'a; filename=b.exe'],
    ['a line break', 'a\r\nSet-Cookie: b=c\r\n\r\n.pdf', 'a\r\nSet-Cookie: b=c\r\n\r\n.pdf'],
    ['a NUL', 'a\0.pdf', 'a\0.pdf'],
    ['half a character', 'a\ud800.pdf', 'a\ufffd.pdf'],
    ['nothing', '', ''],
  ])('200 with a name that has %s', async (_what, name, expected) => {
    world.reply = () => ({ data: content, file: { ...file, name } });
    const answer = await download();
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    const disposition = answer.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; [ -~]*$/);
    expect(parse(disposition)).toMatchObject({ type: 'attachment', parameters: { filename: expected } });
    await answer.body?.cancel();
  });

  it('200 for an empty file', async () => {
    world.reply = () => ({ data: new Uint8Array(), file });
    const answer = await download();
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '0',
      '',
    ]);
  });

  it('304 without the bytes where If-None-Match has its ETag', async () => {
    const first = await download();
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"4-/);
    await first.body?.cancel();
    const again = await download({ 'If-None-Match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(again.headers.get('content-disposition')).toBeNull();
    world.reply = () => ({ version: 4, data: Buffer.from('other'), file });
    expect((await download({ 'If-None-Match': etag })).status).toBe(200);
  });

  it('HEAD: the headers of GET and no body', async () => {
    const [get, head] = [await download(), await download({}, undefined, 'HEAD')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    await get.body?.cancel();
    for (const name of ['content-type', 'content-length', 'content-disposition', 'etag', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
    expect(head.headers.get('content-length')).toBe(String(content.length));
  });

  it('409 with Retry-After while the file is not scanned', async () => {
    world.reply = () => {
      throw new ServiceError('file_not_scanned', undefined, { retryAfterSeconds: 2 });
    };
    const answer = await download();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '2']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toMatchObject({ code: 'file_not_scanned', data: null });
  });

  it.each(['/applications/9001/files/x', '/applications/x/files/1'])('400 for %s', async (path) => {
    expect((await download({}, path)).status).toBe(400);
    expect(world.seen).toEqual([]);
  });
});
