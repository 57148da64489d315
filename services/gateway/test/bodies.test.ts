import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createJob, deleteJob, deleteJobByReference, putJob } from '@joblisting/contracts';
import { job, jobReference, newJob } from '../src/routes/examples.ts';
import { startGateway, type TestGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';
import { askRaw, speak } from './support/raw.ts';

let gateway: TestGateway;
let bodies: unknown[] = [];
const limit = 4 * 1024 * 1024;
const typed = (type: string) => ({ ...keys, 'Content-Type': type });
const codeOf = ({ status, text }: { status: number; text: string }) => [
  status,
  text === '' ? undefined : JSON.parse(text).code,
];

beforeAll(async () => {
  gateway = await startGateway();
  const note = async ({ body }: { body: unknown }) => {
    bodies.push(body);
    return { outcome: 'created', id: job.id, data: job } as const;
  };
  await gateway.standIn(createJob, note);
  await gateway.standIn(putJob, note);
  await gateway.standIn(deleteJob, async () => ({ outcome: 'deleted' }));
  await gateway.standIn(deleteJobByReference, async ({ body }) => {
    bodies.push(body);
    return { outcome: 'deleted' };
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  bodies = [];
});

describe('a chunked body', () => {
  it('arrives whole, even byte by byte', async () => {
    const text = JSON.stringify({ ...newJob, city: 'Zürich' });
    const chunks = [...Buffer.from(text)].map((byte) => `1\r\n${String.fromCharCode(byte)}\r\n`).join('');
    const head = Object.entries({ ...typed('application/json'), Host: 'a', Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const start = `POST /v1.0/jobs HTTP/1.1\r\n${head.join('')}Transfer-Encoding: chunked\r\n\r\n`;
    const received = await speak(gateway.origin, Buffer.from(`${start}${chunks}0\r\n\r\n`, 'latin1'));
    expect(received).toContain('HTTP/1.1 201 Created');
    expect(bodies).toEqual([{ ...newJob, city: 'Zürich' }]);
  });
});

describe('Content-Type', () => {
  const send = (type: string) => askRaw(`${gateway.base}/jobs`, 'POST', typed(type), JSON.stringify(newJob));

  it.each(['application/json', 'application/json; charset=UTF-8', 'APPLICATION/JSON;charset="utf-8"'])(
    '%s goes through',
    async (type) => {
      expect(await send(type)).toMatchObject({ status: 201 });
      expect(bodies).toEqual([newJob]);
    },
  );

  it.each([
    'text/plain',
    'application/jsonx',
    'application/json; charset=latin1',
    'application/xml',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
    'foo',
    '',
  ])('%j is 415', async (type) => {
    expect(codeOf(await send(type))).toEqual([415, 'unsupported_media_type']);
    expect(bodies).toEqual([]);
  });

  it('there twice is 415', async () => {
    const headers = { ...keys, 'Content-Type': ['application/json', 'text/plain'] };
    const answer = await askRaw(`${gateway.base}/jobs`, 'POST', headers, JSON.stringify(newJob));
    expect(codeOf(answer)).toEqual([415, 'unsupported_media_type']);
  });

  it('is required with a body', async () => {
    expect(codeOf(await askRaw(`${gateway.base}/jobs`, 'POST', keys, '{}'))).toEqual([
      415,
      'unsupported_media_type',
    ]);
  });

  it('a compressed body is 415', async () => {
    const headers = { ...typed('application/json'), 'Content-Encoding': 'gzip' };
    expect(await askRaw(`${gateway.base}/jobs`, 'POST', headers, 'x')).toMatchObject({ status: 415 });
  });

  it.each(['text/plain', 'foo', 'application/json'])('DELETE without a body takes %s', async (type) => {
    expect(await askRaw(`${gateway.base}/jobs/1`, 'DELETE', typed(type))).toMatchObject({ status: 204 });
  });

  it('a body of DELETE /jobs/{id} must be JSON though none is needed', async () => {
    const remove = (body: string) => askRaw(`${gateway.base}/jobs/1`, 'DELETE', keys, body);
    expect(codeOf(await remove('{bad'))).toEqual([400, 'malformed_json']);
    expect(await remove('{"fine":true}')).toMatchObject({ status: 204 });
  });

  it.each(['text/plain', 'foo', 'application/json'])(
    'DELETE with a body reads JSON under %s',
    async (type) => {
      const body = JSON.stringify(jobReference);
      expect(await askRaw(`${gateway.base}/jobs`, 'DELETE', typed(type), body)).toMatchObject({
        status: 204,
      });
      expect(bodies).toEqual([jobReference]);
    },
  );
});

describe('empty bodies', () => {
  it.each([
    ['POST', keys],
    ['PUT', keys],
    ['DELETE', keys],
    ['POST', typed('text/plain')],
    ['POST', { ...typed('application/json'), 'Transfer-Encoding': 'chunked' }],
    ['POST', { ...keys, 'Transfer-Encoding': 'chunked' }],
  ])('%s %j is 400', async (method, headers) => {
    const answer = await askRaw(`${gateway.base}/jobs`, method, headers);
    expect(codeOf(answer)).toEqual([400, 'malformed_json']);
  });
});

describe('sizes', () => {
  const padded = (size: number) => {
    const text = JSON.stringify({ ...newJob, description: '' });
    return text.replace('"description":""', `"description":"${'x'.repeat(size - text.length)}"`);
  };
  const chunked = { ...typed('application/json'), 'Transfer-Encoding': 'chunked' };

  it.each([
    ['announced', typed('application/json')],
    ['streamed', chunked],
  ])('%s: exactly 4 MiB goes through, one byte more is 413', async (_how, headers) => {
    expect(await askRaw(`${gateway.base}/jobs`, 'POST', headers, padded(limit))).toMatchObject({
      status: 201,
    });
    expect(bodies).toHaveLength(1);
    const answer = await askRaw(`${gateway.base}/jobs`, 'POST', headers, padded(limit + 1));
    expect(codeOf(answer)).toEqual([413, 'body_too_large']);
    expect(bodies).toHaveLength(1);
  });

  it('the connection can be used after a 413', async () => {
    const { Agent, request } = await import('node:http');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { method: 'POST', headers: typed('application/json'), agent };
        const sent = request(`${gateway.base}/jobs`, options, (response) => {
          response.resume().on('end', () => resolve(response.statusCode));
        });
        sent.on('error', reject).end(body);
      });
    expect(await statusOf(padded(limit * 2))).toBe(413);
    expect(await statusOf(JSON.stringify(newJob))).toBe(201);
    agent.destroy();
  });
});
