import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createJob, getJob } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { job } from '../src/routes/examples.ts';
import { startGateway } from './support/gateway.ts';
import { keys } from './support/stand-ins.ts';
import { askRaw } from './support/raw.ts';

describe('SIGTERM', () => {
  it('at first /readyz says 503, and requests are answered with Connection: close', async () => {
    const gateway = await startGateway({ DRAIN_MS: '3000' });
    const closing = gateway.server.close();
    const ready = await waitFor(
      async () => {
        const answer = await fetch(`${gateway.origin}/readyz`);
        return answer.status === 503 ? answer : undefined;
      },
      { what: '/readyz to say that it stops' },
    );
    expect(ready.headers.get('connection')).toBe('close');
    expect((await fetch(`${gateway.base}/countries`)).status).toBe(200);
    await closing;
    await gateway.stop();
  });

  it('then refuses connections, and answers the requests in flight', async () => {
    const gateway = await startGateway();
    let release: (() => void) | undefined;
    await gateway.standIn(getJob, async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return { data: job };
    });
    const agent = new Agent({ keepAlive: true });
    const underWay = new Promise<[number | undefined, string | undefined]>((resolve, reject) => {
      const sent = request(`${gateway.base}/jobs/1`, { headers: keys, agent }, (response) => {
        response.resume().on('end', () => resolve([response.statusCode, response.headers.connection]));
      });
      sent.on('error', reject).end();
    });
    await waitFor(() => release, { what: 'the request to be under way' });

    let closed = false;
    const close = async () => {
      await gateway.server.close();
      closed = true;
    };
    const closing = close();
    await waitFor(
      () =>
        askRaw(`${gateway.origin}/healthz`, 'GET').then(
          () => false,
          (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
        ),
      { what: 'new connections to be refused' },
    );
    expect(closed).toBe(false);
    release?.();
    expect(await underWay).toEqual([200, 'close']);
    await closing;
    agent.destroy();
    await gateway.stop();
  });

  it('503 stopping for a body that is not complete by then', async () => {
    const gateway = await startGateway();
    let created = 0;
    await gateway.standIn(createJob, async () => {
      created++;
      return { outcome: 'created', id: job.id, data: job };
    });
    // The keys are known then, so that the body is waited for as soon as the request is there.
    await fetch(`${gateway.base}/nothing`, { headers: keys });
    const headers = { ...keys, 'Content-Type': 'application/json', 'Content-Length': '2' };
    const sent = request(`${gateway.base}/jobs`, { method: 'POST', headers, agent: false });
    const answered = once(sent, 'response');
    const arrived = once(gateway.server.server, 'request');
    sent.write('{');
    await arrived;
    const closing = gateway.server.close();
    await waitFor(() => !gateway.server.server.listening, { what: 'the end of listening' });
    sent.end('}');
    const [response] = (await answered) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    expect([response.statusCode, JSON.parse(text).reason, created]).toEqual([503, 'stopping', 0]);
    await closing;
    await gateway.stop();
  });

  it('waits neither for idle connections nor for requests that never end', async () => {
    const gateway = await startGateway({ REQUEST_TIMEOUT_MS: '200' });
    const { port, hostname } = new URL(gateway.origin);
    const bytes = [
      '',
      'GET / HTTP/1.1\r\nHost: ',
      'POST /v1.0/jobs HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    ];
    const sockets = await Promise.all(
      bytes.map(async (text) => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(text);
        return socket;
      }),
    );
    const ends = sockets.map((socket) => new Promise((resolve) => socket.resume().on('close', resolve)));
    await gateway.server.close();
    await Promise.all(ends);
    await gateway.stop();
  });
});
