import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { getCompany, getJob } from '@joblisting/contracts';
import { startNats, type TestNats } from '@joblisting/testing';
import { connect, type NatsConnection } from 'nats';
import { encodeReply } from '../src/wire.ts';
import { createRequester } from '../src/requester.ts';
import { contextOf } from './running-bus.ts';

let nats: TestNats;
let connection: NatsConnection;

beforeAll(async () => {
  nats = await startNats();
  connection = await connect({ servers: nats.url });
});
afterAll(async () => {
  await connection.close();
  await nats.stop();
});

it('a request that waits where others were answered may have been carried out', async () => {
  const requester = createRequester(connection, {
    inboxPrefix: '_INBOX',
    maxPending: 10,
    isConnected: () => true,
  });
  let asked = 0;
  for (const { subject } of [getJob, getCompany]) {
    connection.subscribe(subject, {
      callback: (_error, message) => {
        asked += 1;
        if (asked === 1) message.respond(new Uint8Array(), { headers: encodeReply({ outcome: 'ok' }) });
      },
    });
  }
  const ask = (operation: typeof getJob | typeof getCompany) =>
    requester.forward(operation, { id: 1 }, new Uint8Array(), contextOf(60_000));
  await ask(getJob);
  const [known, unknown] = [ask(getJob), ask(getCompany)];
  for (const { subject } of [getJob, getCompany]) requester.deny(subject);
  await expect(known).rejects.toMatchObject({ code: 'deadline_exceeded' });
  await expect(unknown).rejects.toMatchObject({ code: 'unavailable' });
});
