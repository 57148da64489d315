import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@joblisting/testing';
import {
  type Client,
  createClient,
  jobBody,
  multipart,
  pdf,
  sharedSystem,
  UNLIMITED,
  useWorld,
} from '../../src/index.ts';
import { storedCounter } from '../applications/stored-everywhere.ts';
import { accepted, hostileBodies, MULTIPART, submission, withFileName } from './submission.ts';

const LIMIT_MS = 10_000;
const MUTATIONS = 200;

const { databasePrefix, services } = sharedSystem();
const { countStored, close } = storedCounter(databasePrefix);
const world = useWorld();
let siteKey: string;
let site: Client;
let path: string;

beforeAll(async () => {
  siteKey = (await world.operator.consumerKey(['applications:write'], UNLIMITED)).secret;
  site = createClient(world.origin, { consumer: siteKey });
  const { json } = await world.api.post('/jobs', jobBody(world.companyId));
  path = `/jobs/${json.data.id}/applications`;
});
afterAll(close);

const ada = { applicant: { name: 'Ada', email: 'ada@example.com' } };
const send = (body: string, contentType?: string) =>
  site.send(path, { ...submission(body, contentType), signal: AbortSignal.timeout(LIMIT_MS) });

/** No process has ended since the start, and all are ready. */
async function expectAllReady(): Promise<void> {
  for (const { pid } of services) expect(process.kill(pid, 0)).toBe(true);
  const answers = await Promise.all(services.map(({ healthUrl }) => fetch(`${healthUrl}/readyz`)));
  expect(answers.map(({ status }) => status)).toEqual(services.map(() => 200));
}

describe('a hostile multipart body', () => {
  it.each(hostileBodies)(
    'with %s is %d, stores nothing, and harms no process',
    async (_what, status, body) => {
      const before = await countStored();
      const answer = await send(body);
      expect([answer.status, answer.json.data]).toEqual([status, null]);
      expect(await countStored()).toEqual(before);
      await expectAllReady();
    },
  );

  it.each([
    '',
    '; boundary=',
    '; boundary=""',
    '; boundary="\\"',
    `; boundary=${'b'.repeat(71)}`,
    '; boundary=c',
  ])('of type multipart/form-data%s is refused', async (parameters) => {
    const before = await countStored();
    const { status } = await send(accepted, `multipart/form-data${parameters}`);
    expect([400, 415]).toContain(status);
    expect(await countStored()).toEqual(before);
  });

  it('that ends before its announced length stores nothing', async () => {
    const before = await countStored();
    const socket = connect(Number(new URL(world.origin).port), '127.0.0.1');
    const head = [
      `POST /v1.0${path} HTTP/1.1`,
      'Host: a',
      `Consumer-API-Key: ${siteKey}`,
      `Content-Type: ${MULTIPART}`,
      `Content-Length: ${accepted.length + 1}`,
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${accepted}`);
    expect(await text(socket)).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(await countStored()).toEqual(before);
    await expectAllReady();
  });

  it('of random changes is taken or refused, and stores what it took only', async () => {
    const random = seededRandom(11);
    const below = (most: number) => Math.floor(random() * most);
    const sent = await multipart({ ...ada, coverLetter: 'Hello' }, [{ name: 'cv.pdf', content: pdf() }]);
    const original = sent.raw as Uint8Array;
    const statuses = new Map<number, number>();
    let stored = await countStored();
    for (let round = 0; round < MUTATIONS; round++) {
      const bytes = Uint8Array.from(original);
      for (let changes = below(6); changes >= 0; changes--) bytes[below(bytes.length)] = below(256);
      const start = random() < 0.1 ? below(bytes.length) : 0;
      const end = random() < 0.3 ? start + below(bytes.length - start) : bytes.length;
      const twice = random() < 0.1 ? bytes.subarray(below(bytes.length)) : new Uint8Array();
      const raw = Uint8Array.from(Buffer.concat([bytes.subarray(start, end), twice]));
      const { status, json } = await site.send(path, { ...sent, raw, signal: AbortSignal.timeout(LIMIT_MS) });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const after = await countStored();
      if (status === 201) {
        expect(json.data.files).toHaveLength(1);
        expect(after).toEqual({ applications: stored.applications + 1, files: stored.files + 1 });
      } else {
        expect([round, status, after]).toEqual([round, status, stored]);
      }
      stored = after;
    }
    expect([...statuses.keys()].filter((status) => ![200, 201, 400, 422].includes(status))).toEqual([]);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([201, 400, 422]));
    await expectAllReady();
    expect((await send(accepted)).status).toBe(201);
  });
});

describe('a hostile file name', () => {
  it.each([
    ['a path', 'filename="../../etc/passwd"', 'passwd.pdf'],
    ['a path of Windows', 'filename="..\\\\..\\\\boot.ini"', 'boot.ini.pdf'],
    ['an encoded path', "filename*=UTF-8''..%2F..%2Fcv.pdf", 'cv.pdf'],
    ['quotes', 'filename="a\\"b.pdf"', 'a"b.pdf'],
    ['raw line ends', 'filename="a.pdf\r\nX-Evil: b\r\n"', 'a.pdf'],
    ['a semicolon', 'filename="a; filename=b.exe"', 'a; filename=b.exe.pdf'],
    ['escapes of a form', 'filename="a%22%0D%0Ab.pdf"', 'a"%0D%0Ab.pdf'],
    ['markup', 'filename="<img src=x onerror=alert(1)>"', '<img src=x onerror=alert(1)>.pdf'],
  ])('%s is kept without folders, as an attachment', async (_what, name, expected) => {
    const { status, json } = await send(withFileName(name));
    expect([status, json.data?.files?.[0]?.name]).toEqual([201, expected]);
    const { secret } = await world.operator.consumerKey(['applications:read']);
    const company = createClient(world.origin, { consumer: secret, user: world.userKey });
    const { headers } = await company.get(`/applications/${json.data.id}/files/1`);
    expect(headers.get('content-disposition')).toMatch(/^attachment; [ -~]+$/);
    expect([headers.get('content-type'), headers.get('x-evil')]).toEqual(['application/pdf', null]);
  });

  it.each([
    ['NUL', "filename*=UTF-8''a%00.pdf"],
    ['a reversed end', `filename="cv${Buffer.from('\u202e').toString('latin1')}fdp.exe"`],
    ['an isolate', `filename="cv${Buffer.from('\u2066').toString('latin1')}.pdf"`],
    ['dots', 'filename=".."'],
    ['a folder', 'filename="cv/"'],
    ['256 characters', `filename="${'n'.repeat(256)}"`],
    ['nothing', 'filename=""'],
  ])('%s is refused', async (_what, name) => {
    const before = await countStored();
    const { status, json } = await send(withFileName(name));
    expect([status, json.errors?.[0]?.pointer]).toEqual([422, '#/files/0']);
    expect(await countStored()).toEqual(before);
  });
});
