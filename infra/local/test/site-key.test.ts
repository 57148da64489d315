import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { issueConsumerKey, type Key } from '@joblisting/contracts';
import { startNats } from '@joblisting/testing';
import { serveStandIns, type ServedStandIns, standIn } from '@joblisting/testing/system';
import { ensureSiteKey } from '../src/seed/site-key.ts';
import { siteKeyFile } from '../src/servers/secrets.ts';

let gateway: Server;
let nats: Awaited<ReturnType<typeof startNats>>;
let accounts: ServedStandIns;
let dataDir: string;
/** What the gateway answers to each key. */
let statuses: Record<string, number>;

let issued = 0;
const issuing = standIn(issueConsumerKey, async ({ body: { name, scopes } }) => {
  issued += 1;
  const limits = { readsPerMinute: null, writesPerMinute: null };
  const unused = { companyIds: [], secrets: [], revokedAt: null };
  const key: Key = { id: issued, kind: 'consumer', name, scopes, ...limits, ...unused };
  return { data: { key, secret: `issued-${issued}` } };
});

beforeEach(async () => {
  statuses = {};
  dataDir = mkdtempSync(join(tmpdir(), 'site-key-'));
  gateway = createServer((request, response) => {
    const key = String(request.headers['consumer-api-key']);
    request.resume();
    response.writeHead(request.url === '/v1.0/metrics/events' ? (statuses[key] ?? 401) : 404).end('{}');
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  nats = await startNats();
  accounts = await serveStandIns(nats.url, 'accounts', [issuing]);
});
afterEach(async () => {
  await accounts.close();
  await nats.stop();
  gateway.close();
  gateway.closeAllConnections();
  rmSync(dataDir, { recursive: true });
});

const ensure = async (): Promise<string> => {
  const { port } = gateway.address() as AddressInfo;
  const settings = { dataDir, publicUrl: `http://127.0.0.1:${port}` };
  await ensureSiteKey(settings, nats.url, {}, new AbortController().signal);
  return readFileSync(siteKeyFile(dataDir), 'utf8');
};

describe('the consumer key of the job search site', () => {
  it('is issued with its scopes into a file that only its owner may read', async () => {
    const key = await ensure();
    expect(key).toBe(`issued-${issued}`);
    expect(issuing.requests.at(-1)?.body).toMatchObject({
      name: 'Job search site',
      scopes: ['applications:write', 'metrics:write'],
    });
    expect(statSync(siteKeyFile(dataDir)).mode & 0o777).toBe(0o600);
  });

  it.each([
    [422, true],
    [503, true],
    [401, false],
    [403, false],
  ])('where the gateway answers %i: stays is %s', async (status, stays) => {
    mkdirSync(dirname(siteKeyFile(dataDir)), { recursive: true });
    writeFileSync(siteKeyFile(dataDir), 'a-key\n');
    statuses['a-key'] = status;
    const key = await ensure();
    expect(key === 'a-key\n').toBe(stays);
  });
});
