import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  deadlineExceeded,
  getJob,
  overloaded,
  reasons,
  resolveGrants,
  type ServiceError,
  unavailable,
} from '@joblisting/contracts';
import { ask, startGateway, type TestGateway } from './support/gateway.ts';
import { keys, serveStandIn } from './support/stand-ins.ts';

let gateway: TestGateway;
let refusal: ServiceError;

beforeAll(async () => {
  gateway = await startGateway();
  await gateway.standIn(getJob, async () => {
    throw refusal;
  });
});
afterAll(() => gateway.stop());

describe('the reason of a 503 or 504', () => {
  it.each([
    [503, 'overloaded', 'service_concurrency', overloaded('service_concurrency')],
    [503, 'unavailable', 'database_away', unavailable('database_away')],
    [504, 'deadline_exceeded', 'deadline', deadlineExceeded()],
    [504, 'deadline_exceeded', 'reply_lost', deadlineExceeded('reply_lost')],
  ])('%d %s: %s stands in the body and in the metric', async (status, code, reason, error) => {
    refusal = error;
    const answer = await ask(`${gateway.base}/jobs/1`, { headers: keys });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([status, code, reason]);
    const series = `http_server_requests_total{method="GET",route="/v1.0/jobs/:id",status="${status}",reason="${reason}"} 1`;
    expect(await gateway.metrics.registry.metrics()).toContain(series);
  });

  it('is gateway_memory where the gateway holds too many bytes', async () => {
    const small = await startGateway({ MAX_BUFFERED_BYTES: '1000', BODY_LIMIT_BYTES: '100000' });
    const answer = await ask(`${small.base}/jobs`, {
      method: 'POST',
      headers: { ...keys, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: 'x'.repeat(5000) }),
    });
    expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
      503,
      'overloaded',
      'gateway_memory',
    ]);
    await small.stop();
  });

  it('is that of accounts where the keys cannot be checked', async () => {
    const lonely = await startGateway();
    await lonely.accountsStandIn.close();
    const accounts = await serveStandIn(lonely.nats.url, resolveGrants, async () => {
      throw unavailable('database_away');
    });
    const answer = await ask(`${lonely.base}/jobs/1`, { headers: keys });
    expect([answer.status, answer.body.reason]).toEqual([503, 'database_away']);
    await accounts.close();
    await lonely.stop();
  });

  it('is in no other answer', async () => {
    const answer = await ask(`${gateway.base}/nothing`, { headers: keys });
    expect([answer.status, answer.body]).toEqual([
      404,
      expect.not.objectContaining({ reason: expect.anything() }),
    ]);
  });

  it('is explained in the description of the API and on the page of errors', async () => {
    const description = await ask(`${gateway.origin}/openapi.json`);
    const { description: described } = description.body.components.schemas.Problem.properties.reason;
    const page = await (await fetch(`${gateway.origin}/docs/errors`)).text();
    for (const [reason, meaning] of Object.entries(reasons)) {
      expect(described).toContain(`- \`${reason}\`: ${meaning}`);
      expect(page).toContain(`<dt id="reason-${reason}"><code>${reason}</code></dt><dd>${meaning}</dd>`);
    }
  });
});
