import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { seedApplications } from '../src/seed/applications.ts';
import { frontendApplications } from '../src/seed/demo-applications.ts';

interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer<ArrayBuffer>;
}

let server: Server;
let received: Received[];
/** What the list of applications has. */
let listed: { referenceId: string | null }[];
/** The statuses of the next answers; then 201. */
let statuses: number[];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  received.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
  if (request.method === 'GET') response.end(JSON.stringify({ data: listed }));
  else response.writeHead(statuses.shift() ?? 201).end('{}');
}

/** Stands in for the gateway. */
beforeEach(async () => {
  [received, listed, statuses] = [[], [], []];
  server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const seed = () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1.0`;
  const now = Date.parse('2026-03-10T09:00:00Z');
  const at = { baseUrl, consumerKey: 'c', userKey: 'u', companyId: 7, jobId: 42, now };
  return seedApplications(at, frontendApplications);
};
const submitted = () => received.filter(({ line }) => line === 'POST /v1.0/jobs/42/applications');

/** The JSON of an application, and its files. */
async function contentOf({ headers, body }: Received) {
  const type = headers['content-type'] ?? '';
  if (type === 'application/json') return { json: JSON.parse(body.toString()), files: [] };
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const part = form.get('application') as File;
  const files = form.getAll('file') as File[];
  return { json: JSON.parse(await part.text()), partType: part.type, files };
}

describe('seedApplications', () => {
  it('submits each application as JSON, or as multipart with a PDF', async () => {
    await seed();
    const contents = await Promise.all(submitted().map(contentOf));
    expect(contents.map(({ json }) => json.referenceId)).toEqual(
      frontendApplications.map(({ referenceId }) => referenceId),
    );
    expect(contents[0]?.json).toMatchObject({
      applicant: { name: 'Priya Raman', email: 'priya.raman@example.com', phone: '+1 416 555 0134' },
      answers: [{ question: 'When could you start?', answer: 'On the first of next month.' }],
      consentAt: '2026-03-09T09:00:00.000Z',
    });
    const [withFile, ...others] = contents.filter(({ files }) => files.length > 0);
    expect(others).toEqual([]);
    expect(withFile?.partType).toBe('application/json');
    expect(withFile?.files[0]).toMatchObject({ name: 'cv.pdf', type: 'application/pdf' });
    expect(await withFile?.files[0]?.text()).toMatch(/^%PDF-1\.4/);
  });

  it('sends no user key with an application, and both keys to look for earlier ones', async () => {
    await seed();
    expect(received[0]).toMatchObject({
      line: 'GET /v1.0/applications?company.id=7&job.id=42&pageSize=1000',
      headers: { 'consumer-api-key': 'c', 'user-api-key': 'u' },
    });
    for (const { headers } of submitted()) {
      expect(headers['consumer-api-key']).toBe('c');
      expect(headers).not.toHaveProperty('user-api-key');
    }
  });

  it('leaves out those that the job has', async () => {
    listed = [{ referenceId: 'demo-application-1' }, { referenceId: null }];
    await seed();
    const contents = await Promise.all(submitted().map(contentOf));
    expect(contents.map(({ json }) => json.referenceId)).toEqual([
      'demo-application-2',
      'demo-application-3',
    ]);
  });

  it('sends the same file again when the service is busy', async () => {
    listed = [{ referenceId: 'demo-application-1' }, { referenceId: 'demo-application-3' }];
    statuses = [503];
    await seed();
    const contents = await Promise.all(submitted().map(contentOf));
    const files = await Promise.all(contents.map(({ files: [file] }) => file?.text()));
    expect(files).toHaveLength(2);
    expect(files[0]).toBe(files[1]);
  });

  it('explains a rejected application', async () => {
    statuses = [404];
    await expect(seed()).rejects.toThrow(
      /^The demo could not be seeded: POST .*\/jobs\/42\/applications answered 404/,
    );
  });
});
