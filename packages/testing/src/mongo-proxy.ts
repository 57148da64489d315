import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface MongoProxy {
  /** The server behind it, as a driver that does not look for other members sees it. */
  readonly uri: string;
  /**
   * Hands the next command with a field of this name on, keeps its reply, breaks every connection and takes no more: what a
   * server that dies at the worst moment looks like.
   */
  readonly dieAfter: (command: string) => void;
  /** Reads no more of what comes, once the next command with a field of this name has begun to arrive: a frozen server. */
  readonly freezeWithin: (command: string) => void;
  /** Resets every connection when the next command with a field of this name has begun to arrive, and takes no more: once. */
  readonly dieWithin: (command: string) => void;
  /** Takes no more connections; those that are there stay. */
  readonly takeNoMore: () => void;
  readonly stop: () => Promise<void>;
  /** Takes connections again, at the same address: once it is dead, where it is about to be. */
  readonly startAgain: () => Promise<void>;
}

export async function mongoProxy(mongoUri: string): Promise<MongoProxy> {
  const target = new URL(mongoUri);
  const sockets = new Set<Socket>();
  let fatal: string | undefined;
  let unbearable: string | undefined;
  let freezing: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let dying = false;
    client.on('data', (bytes) => {
      if (freezing !== undefined && bytes.includes(`${freezing}\0`)) client.pause();
      if (unbearable !== undefined && bytes.includes(`${unbearable}\0`)) {
        unbearable = undefined;
        client.resetAndDestroy();
        return stop();
      }
      dying ||= fatal !== undefined && bytes.includes(`${fatal}\0`);
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
      fatal = command;
    },
    freezeWithin: (command) => {
      freezing = command;
    },
    dieWithin: (command) => {
      unbearable = command;
    },
    takeNoMore: () => void server.close(),
    stop: async () => stop(),
    startAgain: async () => {
      if (server.listening) await once(server, 'close');
      await listen(port);
    },
  };
}
