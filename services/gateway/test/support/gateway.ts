import { connectBus } from '@joblisting/bus';
import type { Operation } from '@joblisting/contracts';
import {
  type Clock,
  commonConfig,
  createLog,
  createMetrics,
  type Handler,
  loadConfig,
  type Metrics,
} from '@joblisting/service-kit';
import { startNats, type TestNats } from '@joblisting/testing';
import { gatewayConfig } from '../../src/config.ts';
import { createServer } from '../../src/server.ts';
import { type Accounts, demoAccounts, type Peer, play, playAccounts, stoppedClock } from './peers.ts';

export const PUBLIC_URL = 'https://jobs.example.com';

export interface TestGateway {
  /** Origin that it listens on. */
  readonly origin: string;
  /** Origin and /v1.0. */
  readonly base: string;
  readonly nats: TestNats;
  readonly accounts: Accounts;
  readonly accountsPeer: Peer;
  readonly server: Awaited<ReturnType<typeof createServer>>;
  readonly metrics: Metrics;
  readonly play: <O extends Operation>(operation: O, handler: Handler<O>) => Promise<Peer>;
  readonly stop: () => Promise<void>;
}

interface More {
  readonly asked?: string[];
  readonly clock?: Clock;
  readonly monotonic?: () => number;
  /** Another gateway, whose NATS and peers it shares. */
  readonly beside?: TestGateway;
}

/** A gateway that listens, in front of a NATS of its own, with the demo's keys in a played `accounts`. */
export async function startGateway(
  env: Record<string, string> = {},
  { asked, clock = stoppedClock, monotonic = () => performance.now(), beside }: More = {},
): Promise<TestGateway> {
  const nats = beside?.nats ?? (await startNats());
  const bus = await connectBus({ url: nats.url, name: 'gateway' });
  const peers: Peer[] = [];
  const accounts = beside?.accounts ?? demoAccounts();
  const accountsPeer = beside?.accountsPeer ?? (await playAccounts(nats.url, accounts, asked));
  if (!beside) peers.push(accountsPeer);
  const config = loadConfig({ ...commonConfig, ...gatewayConfig }, { PUBLIC_URL, DRAIN_MS: '0', ...env });
  const log = createLog('gateway', process.env['TEST_LOG'] ?? 'silent');
  const metrics = createMetrics();
  const server = await createServer({ config, log, clock, bus, metrics, monotonic });
  const origin = await server.listen({ host: '127.0.0.1', port: Number(env['PORT'] ?? 0) });

  return {
    origin,
    base: `${origin}/v1.0`,
    nats,
    accounts,
    accountsPeer,
    server,
    metrics,
    play: async (operation, handler) => {
      const peer = await play(nats.url, operation, handler);
      peers.push(peer);
      return peer;
    },
    stop: async () => {
      await server.close();
      for (const peer of peers) await peer.stop().catch(() => undefined);
      await bus.close();
      if (!beside) await nats.stop();
    },
  };
}

/** An answer with its body read as JSON; undefined where there is none. */
export async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  // The shapes are what the tests look at.
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}
