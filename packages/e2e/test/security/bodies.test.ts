import { describe, expect, it } from '@jest/globals';
import { jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const post = (overrides: Record<string, unknown> = {}) =>
  world.api.post('/jobs', jobBody(world.companyId, overrides));
const postRaw = (raw: string | Uint8Array<ArrayBuffer>) =>
  world.api.send('/jobs', { method: 'POST', raw, contentType: 'application/json' });
/** A valid body as text, with `text` as the value of the property. */
const withText = (property: string, text: string) =>
  JSON.stringify(jobBody(world.companyId, { [property]: '@@' })).replace('"@@"', text);

describe('numbers', () => {
  it.each([
    ['1e400', 422],
    ['-1e400', 422],
    ['9007199254740993', 422],
    ['2147483648', 422],
    ['-2147483649', 422],
    ['1.5', 422],
    ['"1"', 422],
    ['true', 422],
    ['[1]', 422],
    ['1e-400', 403],
    ['-0', 403],
    ['2147483647', 403],
    ['NaN', 400],
    ['0x1', 400],
    ['01', 400],
    ['+1', 400],
    ['1_000', 400],
  ])('company.id %s: %d', async (text, status) => {
    expect((await postRaw(withText('company', `{"id":${text}}`))).status).toBe(status);
  });

  it.each(['1.0', '1e0', '10E-1'])('%s is the integer 1', async (text) => {
    const { status, json } = await postRaw(withText('types', `[{"id":${text}}]`));
    expect([status, json.data.types[0].id]).toEqual([201, 1]);
  });

  it('of 100,000 digits are refused', async () => {
    const { status } = await postRaw(withText('company', `{"id":${'9'.repeat(100_000)}}`));
    expect(status).toBe(422);
  });
});

describe('characters', () => {
  it.each([
    ['NUL', 'a\\u0000b'],
    ['a lone high surrogate', 'a\\ud800'],
    ['a lone low surrogate', '\\udc00a'],
    ['surrogates the wrong way round', '\\udc00\\ud800'],
    ['ESC', 'a\\u001b[2J'],
    ['DEL', 'a\\u007f'],
    ['a C1 control', '\\u009b31m'],
  ])('%s is refused in every text property', async (_what, text) => {
    for (const name of ['title', 'city', 'employer', 'referenceId', 'description']) {
      const { status, json } = await postRaw(withText(name, `"${text}"`));
      expect([name, status]).toEqual([name, 422]);
      expect(json.errors).toContainEqual(
        expect.objectContaining({ pointer: `#/${name}`, code: 'invalid_characters' }),
      );
    }
    expect((await postRaw(withText('categories', `[{"name":"${text}"}]`))).status).toBe(422);
  });

  it('tabs and line breaks are for descriptions only', async () => {
    const lines = 'One\r\n\ttwo\n';
    const { status, json } = await post({ description: lines });
    expect([status, json.data.description]).toEqual([201, lines]);
    const names = ['title', 'city', 'employer', 'referenceId'];
    const refused = await post(Object.fromEntries(names.map((name) => [name, 'a\nb'])));
    expect(refused.json.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code])).toEqual(
      expect.arrayContaining(names.map((name) => [`#/${name}`, 'invalid_characters'])),
    );
  });

  it.each(['\u202eevil', 'e\u0301', '\u00e9', '\u{1F9D1}\u200d\u{1F680}', '\ufffd', 'a\u2028', '\ufeffa'])(
    '%j is returned unchanged',
    async (text) => {
      const { status, json } = await post({ title: text, city: text, description: text });
      expect(status).toBe(201);
      const read = (await world.api.get(`/jobs/${json.data.id}`)).json.data;
      expect([read.title, read.city, read.description]).toEqual([text, text, text]);
    },
  );

  it('composed and decomposed names make one category and two references', async () => {
    const tail = newReference();
    const ids = [];
    for (const letter of ['\u00e9', 'e\u0301', '\u00c9']) {
      const sent = { referenceId: `${letter}${tail}`, categories: [{ name: `${letter} ${tail}` }] };
      const { status, json } = await post(sent);
      expect(status).toBe(201);
      ids.push(json.data.categories[0].id);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it.each([
    ['overlong', [0xc0, 0xaf]],
    ['overlong NUL', [0xc0, 0x80]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['past the end of Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x80]],
    ['cut short', [0xe2, 0x82]],
  ])('bytes that are not UTF-8 are 400: %s', async (_what, bad) => {
    const [head, tail] = withText('title', '"x@y"').split('@') as [string, string];
    const encode = (text: string) => [...new TextEncoder().encode(text)];
    const { status, json } = await postRaw(Uint8Array.from([...encode(head), ...bad, ...encode(tail)]));
    expect([status, json.code]).toEqual([400, 'malformed_json']);
  });

  it('UTF-16 is 400, a byte order mark of UTF-8 is not', async () => {
    const text = JSON.stringify(jobBody(world.companyId));
    const utf16 = Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect((await postRaw(utf16)).status).toBe(400);
    expect((await postRaw(`\ufeff${text}`)).status).toBe(201);
  });
});

describe('shapes', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

  it.each([
    ['32 levels', nested(32), 422],
    ['33 levels', nested(33), 400],
    ['150,000 levels', nested(150_000), 400],
    ['150,000 lists', `{"a":${'['.repeat(150_000)}${']'.repeat(150_000)}}`, 400],
    ['60,001 parts', `{"a":[${'{},'.repeat(60_000)}{}]}`, 400],
  ])('%s', async (_what, raw, status) => {
    expect((await postRaw(raw)).status).toBe(status);
  });

  it('unknown nested properties are not stored', async () => {
    const { json } = await post();
    const answer = await world.api.send(`/jobs/${json.data.id}`, { method: 'PUT', raw: nested(32) });
    expect([answer.status, answer.json.data]).toEqual([200, json.data]);
  });

  it.each([
    ['twice', '{"title":"a","title":"b"}', ['#/title']],
    ['twice, once escaped', '{"title":"a","\\u0074itle":"b"}', ['#/title']],
    ['twice inside', '{"company":{"id":1,"id":2}}', ['#/company/id']],
    ['twice as __proto__', '{"__proto__":1,"__proto__":2}', ['#/__proto__']],
  ])('a name that occurs %s is 400', async (_what, raw, pointers) => {
    const { status, json } = await postRaw(raw);
    expect([status, json.code]).toEqual([400, 'malformed_json']);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  it('a repeated name in a line of events rejects that event', async () => {
    const { secret } = await world.operator.consumerKey(['metrics:write']);
    const { status, json } = await world.anonymous.send('/metrics/events', {
      method: 'POST',
      headers: { 'Consumer-API-Key': secret },
      contentType: 'application/x-ndjson',
      raw: '{"id":"a","jobId":1,"type":"view","jobId":2}\n',
    });
    expect([status, json.data]).toEqual([
      200,
      {
        accepted: 0,
        duplicates: 0,
        rejected: [expect.objectContaining({ code: 'invalid_event', pointer: '#/events/0/jobId' })],
      },
    ]);
  });

  it.each([
    [1001, 422],
    [1000, 200],
  ])('%d events in one batch: %d', async (count, status) => {
    const { secret } = await world.operator.consumerKey(['metrics:write']);
    const events = Array.from({ length: count }, (_, n) => ({ id: `${count}-${n}`, jobId: 1, type: 'view' }));
    const answer = await world.anonymous.post(
      '/metrics/events',
      { events },
      { headers: { 'Consumer-API-Key': secret } },
    );
    expect(answer.status).toBe(status);
  });
});
