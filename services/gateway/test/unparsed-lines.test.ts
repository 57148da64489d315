import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, startNats, type TestNats, waitFor } from '@joblisting/testing';
import { type ServiceProcess, startProcess } from '@joblisting/testing/system';
import { speak } from './support/raw.ts';
import { linesOf } from './support/log-lines.ts';

let nats: TestNats;
let gateway: ServiceProcess;
let log = '';

beforeAll(async () => {
  nats = await startNats();
  const env = { NATS_URL: nats.url, PORT: String(await freePort()), LOG_LEVEL: 'info' };
  gateway = await startProcess('gateway', env, { log: (text) => (log += text) });
});
afterAll(async () => {
  await gateway?.stop();
  await nats?.stop();
});

const lines = linesOf(() => log);

describe('requests that are not HTTP', () => {
  const garbage = 'this is not HTTP\r\n\r\n';

  it('have one line a second, which says how many it left out', async () => {
    await speak(gateway.healthUrl, garbage);
    let sent = 1;
    const [first] = await lines('unparsed request', 1);
    expect(first).toMatchObject({
      level: 30,
      requestId: expect.any(String),
      clientAddress: '127.0.0.1',
      status: 400,
      error: expect.stringMatching(/^HPE_/),
      suppressed: 0,
    });
    const [, second] = await waitFor(
      async () => {
        await speak(gateway.healthUrl, garbage);
        sent++;
        const found = await lines('unparsed request', 1);
        return found.length > 1 ? found : undefined;
      },
      { what: 'the second line' },
    );
    expect(second.suppressed).toBeGreaterThan(0);
    expect(second.suppressed).toBeLessThan(sent);
    expect(Date.parse(second.time) - Date.parse(first.time)).toBeGreaterThanOrEqual(990);
  });

  it('are counted by status', async () => {
    const count = async () => {
      const text = await (await fetch(gateway.metricsUrl)).text();
      return Number(/^http_server_unparsed_requests_total\{status="400"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    const before = await count();
    await speak(gateway.healthUrl, garbage);
    expect(await count()).toBe(before + 1);
  });
});
