import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** In front of a NATS server. It holds back what its client sends; what the server sends goes through. */
export async function holdingProxy(url: string) {
  const target = new URL(url);
  let isHolding = false;
  let held: Buffer[] = [];
  let send: (bytes: Buffer) => void = () => undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    send = (bytes) => void upstream.write(bytes);
    client.on('data', (bytes: Buffer) => (isHolding ? void held.push(bytes) : send(bytes)));
    upstream.on('data', (bytes) => void client.write(bytes));
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
        server.close();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => void (isHolding = true),
    held: () => Buffer.concat(held),
    release: () => {
      isHolding = false;
      for (const bytes of held) send(bytes);
      held = [];
    },
  };
}
