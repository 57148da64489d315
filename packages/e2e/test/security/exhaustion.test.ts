import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { jobBody, type Send, useWorld } from '../../src/index.ts';

const world = useWorld();
const MIB = 1024 * 1024;
/** Far more than these inputs need, and far less than a backtracking pattern would. */
const LIMIT_MS = 15_000;
const PROBE_EVERY_MS = 20;

const sendJob = (overrides: Record<string, unknown>): Promise<unknown> =>
  world.api.post('/jobs', jobBody(world.companyId, overrides), { signal: AbortSignal.timeout(LIMIT_MS) });
const html = (description: string) => sendJob({ descriptionFormat: 'html', description });
const send = (path: string, options: Send): Promise<unknown> =>
  world.api.send(path, { signal: AbortSignal.timeout(LIMIT_MS), ...options });
const fill = (part: string, bytes: number) => part.repeat(Math.ceil(bytes / part.length));

describe('hostile input', () => {
  const inputs: [string, () => Promise<unknown>][] = [
    ['an e-mail address of dots', () => sendJob({ applicationEmails: [`a@${fill('a.', 3 * MIB)}`] })],
    ['an e-mail address of hyphens', () => sendJob({ applicationEmails: [`a@${fill('a-', 3 * MIB)}!`] })],
    [
      'many e-mail addresses',
      () => sendJob({ applicationEmails: Array(100).fill(`a@${'a'.repeat(30_000)}`) }),
    ],
    ['a URL of slashes', () => clickThrough(`http://${fill('/', 3 * MIB)}`)],
    ['a URL of at signs', () => clickThrough(`http://${fill('a@', 3 * MIB)}`)],
    ['a URL of dots', () => clickThrough(`http://${fill('%2e.', 3 * MIB)}`)],
    ['a URL of white space', () => clickThrough(`${fill(' ', 3 * MIB)}http://a`)],
    ['a date of digits', () => sendJob({ publishDate: fill('1', 3 * MIB) })],
    ['a title of spaces', () => sendJob({ title: fill(' ', 3 * MIB) })],
    ['a category name of spaces', () => sendJob({ categories: [{ name: `a${fill(' ', 3 * MIB)}b` }] })],
    [
      'a category name of combining marks',
      () => sendJob({ categories: [{ name: fill('e\u0301', 2 * MIB) }] }),
    ],
    ['a text of brackets', () => sendJob({ description: fill('<', MIB - 1000) })],
    ['brackets', () => html(fill('<', 3 * MIB))],
    ['tags without an end', () => html(fill('<a href=', 3 * MIB))],
    ['nested tags', () => html(fill('<div>', 3 * MIB))],
    ['misnested tags', () => html(fill('<b><p></b>', 3 * MIB))],
    ['attributes', () => html(`<p ${fill('a ', 3 * MIB)}>`)],
    ['entities', () => html(fill('&am', 3 * MIB))],
    ['comments', () => html(fill('<!--', 3 * MIB))],
    ['one long href', () => html(`<a href="http://${fill('a', 3 * MIB)}">`)],
    [
      'unknown properties',
      () => send('/jobs', raw(`{${Array.from({ length: 50_000 }, (_, n) => `"x${n}":0`).join()}}`)),
    ],
    ['one name again and again', () => send('/jobs', raw(`{${fill('"a":0,', 3 * MIB)}"a":0}`))],
    ['objects', () => send('/jobs', raw(`{"categories":[${fill('{},', 3 * MIB)}{}]}`))],
    ['numbers', () => send('/jobs', raw(`{"categories":[${fill('0,', 3 * MIB)}0]}`))],
    ['an unfinished string', () => send('/jobs', raw(`{"a":"${fill('\\', 3 * MIB)}`))],
    ['a query of parameters', () => send(`/jobs?${fill('a=&', 14_000)}`, {})],
    ['a query of percents', () => send(`/jobs?${fill('%', 14_000)}`, {})],
    [
      'an Accept of weights',
      () => send('/jobs/x', { headers: { Accept: fill('application/problem+json;q=0,', 14_000) } }),
    ],
    [
      'an If-Match of tags',
      () => send('/jobs/1', { ...raw('{}'), method: 'PUT', headers: { 'If-Match': fill('"1-a",', 14_000) } }),
    ],
    [
      'an If-None-Match of commas',
      () => send('/jobs/1', { headers: { 'If-None-Match': fill(' ,', 14_000) } }),
    ],
    [
      'a Content-Type of parameters',
      () => send('/jobs', { ...raw('{}'), contentType: `application/json${fill(';a=b', 14_000)}` }),
    ],
    ['a traceparent of hyphens', () => send('/jobtypes', { headers: { traceparent: fill('00-', 14_000) } })],
    [
      'an Authorization of spaces',
      () => send('/jobs/1', { headers: { Authorization: `Basic${fill(' ', 14_000)}x=` } }),
    ],
  ];
  const clickThrough = (applicationUrl: string) =>
    sendJob({ applicantRoutingType: { id: 2 }, applicationUrl });
  const raw = (text: string): Send => ({ method: 'POST', raw: text, contentType: 'application/json' });

  it.each(inputs)('%s is answered while others are served', async (_what, attack) => {
    let isOver = false;
    const attacked = attack().finally(() => (isOver = true));
    let slowest = 0;
    let probes = 0;
    while (!isOver || probes < 2) {
      const startedAt = performance.now();
      const { status } = await world.api.get(`/jobs?company.id=${world.companyId}&pageSize=1`);
      expect(status).toBe(200);
      slowest = Math.max(slowest, performance.now() - startedAt);
      probes++;
      await delay(PROBE_EVERY_MS);
    }
    const { status } = (await attacked) as { status: number };
    // A machine that other work slows down may answer that it is at its limit.
    expect(status).not.toBe(500);
    expect(slowest).toBeLessThan(LIMIT_MS);
  });
});

describe('limits of one request', () => {
  it.each(['pageSize=1001', 'pageSize=2147483647', 'pageSize=0', 'pageSize=-1', 'page=0', 'page=2147483648'])(
    '%s is refused',
    async (query) => {
      const { status } = await world.api.get(`/jobs?company.id=${world.companyId}&${query}`);
      expect(status).toBe(400);
    },
  );

  it('the highest page number gives an empty page', async () => {
    const { status, json } = await world.api.get(
      `/jobs?company.id=${world.companyId}&pageSize=1000&page=2147483647`,
    );
    expect([status, json.data, json.paging.next]).toEqual([200, [], null]);
  });

  it.each([
    ['categories', 6],
    ['types', 101],
    ['applicationEmails', 101],
  ])('%s holds no %d entries', async (name, count) => {
    const entry = name === 'applicationEmails' ? 'a@example.com' : { id: 1 };
    const { status, json } = (await sendJob({ [name]: Array(count).fill(entry) })) as {
      status: number;
      json: { errors: { pointer: string; code: string }[] };
    };
    expect(status).toBe(422);
    expect(json.errors).toEqual([
      expect.objectContaining({ pointer: `#/${name}/${count - 1}`, code: 'too_many' }),
    ]);
  });

  it('lists at most 50 violations and 50 warnings', async () => {
    const types = Array.from({ length: 100 }, () => ({ id: 'x' }));
    const invalid = (await sendJob({ types })) as { json: { errors: object[] } };
    expect(invalid.json.errors).toHaveLength(50);
    const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x${n}`, 0]));
    const warned = (await sendJob(unknown)) as { json: { warnings: object[] } };
    expect(warned.json.warnings).toHaveLength(50);
  });
});
