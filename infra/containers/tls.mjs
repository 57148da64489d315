import { once } from 'node:events';
import { request } from 'node:https';
import { freePort } from './system.mjs';
import { docker, inspect, until } from './shell.mjs';

const answerLimitMs = 60_000;
const logLimitMs = 10_000;
const forged = '203.0.113.9';
const path = '/v1.0/jobtypes';

/** Puts Caddy in front by the override file, and checks that the gateway knows who asks. */
export async function checkTls(system, tally) {
  const [http, https] = [await freePort(), await freePort()];
  const settings = {
    PUBLIC_URL: `https://localhost:${https}`,
    TLS_BIND: '127.0.0.1',
    HTTP_PORT: String(http),
    HTTPS_PORT: String(https),
    LOG_LEVEL: 'info',
  };
  await system.upWithTls(settings);
  const status = await until('an answer over TLS', answerLimitMs, () =>
    statusOf(https).catch(() => undefined),
  );
  tally.equal('the API answers over TLS', status, 200);

  const line = await until('the line of the request', logLimitMs, async () => {
    const log = await docker('logs', await system.idOf('gateway'));
    return log.split('\n').findLast((one) => one.includes(`"path":"${path}"`));
  });
  tally.equal(
    "the gateway logs the address of Caddy's client, whatever that claims",
    JSON.parse(line).clientAddress,
    await engineAddress(system),
  );
  const plain = await fetch(`http://localhost:${http}${path}`, { redirect: 'manual' });
  tally.equal(
    'plain HTTP is redirected',
    [plain.status, plain.headers.get('location')],
    [308, `https://localhost:${https}${path}`],
  );
}

/** The engine's side of the network `front`: connections from this machine come from there. */
async function engineAddress({ project, idOf }) {
  const { NetworkSettings } = await inspect(await idOf('gateway'));
  return NetworkSettings.Networks[`${project}_front`].Gateway;
}

/** The certificate is of Caddy's own authority. */
async function statusOf(port) {
  const sent = request(`https://localhost:${port}${path}`, {
    rejectUnauthorized: false,
    headers: { 'X-Forwarded-For': forged },
  });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode === 200 ? 200 : undefined;
}
