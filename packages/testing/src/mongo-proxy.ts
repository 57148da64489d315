import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface MongoProxy {
  /** For a driver that connects directly, without discovering other members. */
  readonly uri: string;
  /**
   * Forwards the next command with a field of this name, drops its reply and every connection, and accepts no more: a
   * server that dies after the execution.
   */
  readonly dieAfter: (command: string) => void;
  /** Stops reading from a connection that sends a command with a field of this name: a frozen server. */
  readonly freezeWithin: (command: string) => void;
  /** Resets every connection when the next command with a field of this name arrives, and accepts no more. */
  readonly dieWithin: (command: string) => void;
  /** Accepts no new connections; open ones stay. */
  readonly takeNoMore: () => void;
  readonly stop: () => Promise<void>;
  /** Accepts connections at the same address again, after a death that is under way. */
  readonly startAgain: () => Promise<void>;
}

export async function mongoProxy(mongoUri: string): Promise<MongoProxy> {
  const target = new URL(mongoUri);
  const sockets = new Set<Socket>();
  let diesAfter: string | undefined;
  let diesWithin: string | undefined;
  let freezesWithin: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let dying = false;
    client.on('data', (bytes) => {
      if (freezesWithin !== undefined && bytes.includes(`${freezesWithin}\0`)) client.pause();
      if (diesWithin !== undefined && bytes.includes(`${diesWithin}\0`)) {
        diesWithin = undefined;
        client.resetAndDestroy();
        return stop();
      }
      dying ||= diesAfter !== undefined && bytes.includes(`${diesAfter}\0`);
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (dying) stop();
      else client.write(bytes);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    dieAfter: (command) => {
      diesAfter = command;
    },
    freezeWithin: (command) => {
      freezesWithin = command;
    },
    dieWithin: (command) => {
      diesWithin = command;
    },
    takeNoMore: () => void server.close(),
    stop: async () => stop(),
    startAgain: async () => {
      if (server.listening) await once(server, 'close');
      await listen(port);
    },
  };
}
