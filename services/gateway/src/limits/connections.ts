import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { counts, networkOf } from '@joblisting/service-kit/http';
import { LRUCache } from 'lru-cache';

/** Why a connection is closed before its client closes it. */
export type ClosedFor = 'address_limit' | 'shut_out' | 'idle' | Flood;
/** What a client sends too much of on one connection. */
export type Flood = 'pipelined_requests' | 'tiny_chunks';

interface ConnectionLimits {
  readonly most: number;
  readonly mostOfOneAddress: number;
  /** Whether an address is a trusted proxy: its connections are those of many clients. */
  readonly isProxy: (address: string) => boolean;
  /** Milliseconds that only ever go forward. */
  readonly monotonic: () => number;
  readonly onClosed: (reason: ClosedFor) => void;
  /** Called with the address that is kept out. */
  readonly onShutOut: (clientAddress: string, flood: Flood) => void;
}

export interface ConnectionLimiter {
  /** Limits the connections of this server. */
  readonly watch: (server: Server) => void;
  /** Closes a connection, and keeps its network out for 10 s: idle connections are closed, busy ones stay. */
  readonly shutOut: (socket: Socket, flood: Flood) => void;
}

/** How long a network is kept out after a flood on one of its connections. */
const SHUT_OUT_MS = 10_000;
const MOST_SHUT_OUT = 10_000;
/** From this part of the limit on, each new connection closes the one that has been idle longest. */
const NEARLY_FULL = 0.9;

/**
 * Refuses connections of an address that has too many. Near the total it closes idle ones, so that a client that opens
 * many and leaves them keeps nobody out.
 */
export function connectionLimiter(limits: ConnectionLimits): ConnectionLimiter {
  const { most, mostOfOneAddress, isProxy, monotonic, onClosed, onShutOut } = limits;
  const byNetwork = counts<string>();
  const underWay = new WeakMap<Socket, number>();
  /** The one that has been idle longest comes first. */
  const idle = new Set<Socket>();
  const shutOut = new LRUCache<string, true>({
    max: MOST_SHUT_OUT,
    ttl: SHUT_OUT_MS,
    ttlResolution: 0,
    perf: { now: monotonic },
  });
  let open = 0;

  const close = (socket: Socket, reason: ClosedFor): void => {
    idle.delete(socket);
    socket.destroy();
    onClosed(reason);
  };

  const refusalOf = (address: string, network: string): ClosedFor | undefined => {
    if (isProxy(address)) return undefined;
    if (shutOut.has(network)) return 'shut_out';
    return byNetwork.get(network) >= mostOfOneAddress ? 'address_limit' : undefined;
  };

  const accept = (socket: Socket): void => {
    const { remoteAddress = '' } = socket;
    const network = networkOf(remoteAddress);
    const refusal = refusalOf(remoteAddress, network);
    if (refusal) return close(socket, refusal);
    byNetwork.add(network, 1);
    open++;
    const [longestIdle] = idle;
    if (longestIdle && open > most * NEARLY_FULL) close(longestIdle, 'idle');
    idle.add(socket);
    socket.once('close', () => {
      byNetwork.add(network, -1);
      open--;
      idle.delete(socket);
    });
  };

  const follow = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    idle.delete(socket);
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      underWay.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.add(socket);
    });
  };

  return {
    watch: (server) => {
      server.maxConnections = most;
      server.on('connection', accept).on('request', follow);
    },
    shutOut: (socket, flood) => {
      const { remoteAddress = '' } = socket;
      close(socket, flood);
      const network = networkOf(remoteAddress);
      if (isProxy(remoteAddress) || shutOut.has(network)) return;
      shutOut.set(network, true);
      onShutOut(remoteAddress, flood);
      for (const other of idle) if (networkOf(other.remoteAddress) === network) close(other, 'shut_out');
    },
  };
}
