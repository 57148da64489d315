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
import type { ServedStandIns } from '@joblisting/testing/system';
import { gatewayConfig } from '../../src/config.ts';
import { createServer } from '../../src/server.ts';
import { type Accounts, demoAccounts, serveStandIn, standInAccounts, stoppedClock } from './stand-ins.ts';

export const PUBLIC_URL = 'https://jobs.example.com';

export interface TestGateway {
  /** The origin that it listens on. */
  readonly origin: string;
  /** The origin and `/v1.0`. */
  readonly base: string;
  readonly nats: TestNats;
  readonly accounts: Accounts;
  readonly accountsStandIn: ServedStandIns;
  readonly server: Awaited<ReturnType<typeof createServer>>;
  readonly metrics: Metrics;
  readonly standIn: <O extends Operation>(operation: O, handler: Handler<O>) => Promise<ServedStandIns>;
  readonly stop: () => Promise<void>;
}

interface GatewayOptions {
  /** Collects the pairs of keys that are looked up. */
  readonly lookUps?: string[];
  readonly clock?: Clock;
  readonly monotonic?: () => number;
  /** Shares the NATS and the stand-ins of this gateway. */
  readonly beside?: TestGateway;
}

/** Starts a gateway on its own NATS, with a stand-in of `accounts`. */
export async function startGateway(
  env: Record<string, string> = {},
  { lookUps, clock = stoppedClock, monotonic = () => performance.now(), beside }: GatewayOptions = {},
): Promise<TestGateway> {
  const nats = beside?.nats ?? (await startNats());
  const bus = await connectBus({ url: nats.url, name: 'gateway' });
  const standIns: ServedStandIns[] = [];
  const accounts = beside?.accounts ?? demoAccounts();
  const accountsStandIn = beside?.accountsStandIn ?? (await standInAccounts(nats.url, accounts, lookUps));
  if (!beside) standIns.push(accountsStandIn);
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
    accountsStandIn,
    server,
    metrics,
    standIn: async (operation, handler) => {
      const peer = await serveStandIn(nats.url, operation, handler);
      standIns.push(peer);
      return peer;
    },
    stop: async () => {
      await server.close();
      for (const peer of standIns) await peer.close();
      await bus.close();
      if (!beside) await nats.stop();
    },
  };
}

/** Sends a request and parses the body of its answer as JSON, if it has one. */
export async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}
