import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createJob } from '@joblisting/contracts';
import { application, job, newApplication, newJob } from '../src/routes/examples.ts';
import {
  type ApplicationsWorld,
  companyKeys,
  json,
  site,
  startApplicationsWorld,
} from './support/applications.ts';
import { ask } from './support/gateway.ts';
import { askRaw } from './support/raw.ts';

const MIB = 1024 * 1024;
const boundary = 'a "strange" boundary';
const contentType = `Multipart/Form-Data; boundary="${boundary.replaceAll('"', '\\"')}"`;
let world: ApplicationsWorld;

/** A multipart body of exactly this size: JSON, and a file of every byte. */
function multipart(size: number): Buffer {
  const lines = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="application"',
    'Content-Type: application/json',
    '',
    JSON.stringify(newApplication),
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="a.pdf"',
    'Content-Type: application/pdf',
    '',
    '',
  ];
  const [head, tail] = [Buffer.from(lines.join('\r\n')), Buffer.from(`\r\n--${boundary}--\r\n`)];
  const file = Buffer.alloc(
    size - head.length - tail.length,
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  );
  return Buffer.concat([head, file, tail]);
}

const post = (headers: Record<string, string>, body: string | Uint8Array) =>
  askRaw(`${world.gateway.base}/jobs/4711/applications`, 'POST', { ...site, ...headers }, body);
const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).code];

beforeAll(async () => {
  world = await startApplicationsWorld({ REQUEST_TIMEOUT_MS: '20000' });
  await world.gateway.standIn(createJob, async () => ({ outcome: 'created', id: job.id, data: job }));
});
afterAll(() => world.stop());
beforeEach(() => world.reset());

describe('POST /jobs/{jobId}/applications: a multipart body', () => {
  it.each([
    ['announced', {}],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ])('%s, arrives at the owner byte for byte, with its Content-Type as it was sent', async (_how, more) => {
    const body = multipart(300_000);
    const answer = await post({ 'Content-Type': contentType, ...more }, body);
    expect([answer.status, JSON.parse(answer.text).data.id]).toEqual([201, application.id]);
    expect(world.seen).toHaveLength(1);
    expect(world.seen[0]?.params).toEqual({ jobId: 4711, contentType });
    expect(Buffer.from(world.seen[0]?.body ?? []).equals(body)).toBe(true);
  });

  it('of a FormData goes through', async () => {
    const form = new FormData();
    form.set('application', new Blob([JSON.stringify(newApplication)], { type: 'application/json' }));
    form.append('file', new Blob(['%PDF-1.7'], { type: 'application/pdf' }), 'Zoë.pdf');
    const answer = await ask(`${world.gateway.base}/jobs/4711/applications`, {
      method: 'POST',
      headers: site,
      body: form,
    });
    expect(answer.status).toBe(201);
    expect(world.seen[0]?.params).toMatchObject({
      contentType: expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
  });

  it('of 6 MiB goes through', async () => {
    const answer = await post({ 'Content-Type': contentType }, multipart(6 * MIB));
    expect([answer.status, world.seen[0]?.body.length]).toEqual([201, 6 * MIB]);
  });

  it.each([
    ['announced', {}],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ])('413 for one byte more, %s', async (_how, more) => {
    const answer = await post({ 'Content-Type': contentType, ...more }, multipart(6 * MIB + 1));
    expect(codeOf(answer)).toEqual([413, 'body_too_large']);
    expect(world.seen).toEqual([]);
  });

  it('413 is read before a connection closes that still brings 24 MiB', async () => {
    const headers = { 'Content-Type': contentType, Connection: 'close' };
    expect(codeOf(await post(headers, Buffer.alloc(20 * MIB)))).toEqual([413, 'body_too_large']);
  });
});

describe('POST /jobs/{jobId}/applications: Content-Type', () => {
  it('with a charset arrives as it was sent', async () => {
    const type = 'application/json; charset=UTF-8';
    expect((await post({ 'Content-Type': type }, JSON.stringify(newApplication))).status).toBe(201);
    expect(world.seen[0]?.params).toEqual({ jobId: 4711, contentType: type });
  });

  it.each([
    'text/plain',
    'multipart/mixed; boundary=a',
    'application/x-www-form-urlencoded',
    'multipart/form-data; charset=latin1; boundary=a',
    `multipart/form-data; boundary=${'x'.repeat(512)}`,
  ])('415 for %s', async (type) => {
    const answer = await post({ 'Content-Type': type }, multipart(1000));
    expect(codeOf(answer)).toEqual([415, 'unsupported_media_type']);
    expect(JSON.parse(answer.text).detail).toContain('application/json or multipart/form-data');
  });

  it('415 for multipart elsewhere', async () => {
    const headers = { ...companyKeys, 'Content-Type': contentType };
    for (const path of ['/jobs', '/applications/9001/copies']) {
      const answer = await askRaw(world.gateway.base + path, 'POST', headers, multipart(1000));
      expect(codeOf(answer)).toEqual([415, 'unsupported_media_type']);
    }
  });
});

describe('the limit of other operations', () => {
  const padded = (size: number) => JSON.stringify(newJob).padEnd(size, ' ');

  it.each(['/jobs', '/applications/9001/copies'])('413 for POST %s over 4 MiB', async (path) => {
    const headers = { ...companyKeys, ...json };
    const answer = await askRaw(world.gateway.base + path, 'POST', headers, padded(4 * MIB + 1));
    expect(codeOf(answer)).toEqual([413, 'body_too_large']);
  });

  it('lowered by a setting, holds for them alone', async () => {
    const small = await startApplicationsWorld({ BODY_LIMIT_BYTES: '1000' });
    const send = (path: string) =>
      askRaw(small.gateway.base + path, 'POST', { ...companyKeys, ...json }, padded(1001));
    expect(codeOf(await send('/jobs'))).toEqual([413, 'body_too_large']);
    const answer = await askRaw(
      `${small.gateway.base}/jobs/4711/applications`,
      'POST',
      { ...site, ...json },
      JSON.stringify(newApplication).padEnd(1001, ' '),
    );
    expect(answer.status).toBe(201);
    await small.stop();
  });
});
