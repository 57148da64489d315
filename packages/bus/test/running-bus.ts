import { createLink, resolveLink } from '@joblisting/contracts';
import { startNats, type TestNats } from '@joblisting/testing';
import {
  type Bus,
  type BusOptions,
  type CallContext,
  connectBus,
  type Endpoint,
  type RawHandler,
  type RawReply,
  type ServeOptions,
} from '../src/index.ts';

/** Any two operations of the contracts: one with a body, one with parameters only. */
export const withBody = createLink;
export const withParams = resolveLink;

export interface RunningBus {
  readonly nats: TestNats;
  /** One more connection, closed with the suite. */
  readonly connect: (options?: Partial<BusOptions>) => Promise<Bus>;
  readonly stop: () => Promise<void>;
}

export async function runBus(): Promise<RunningBus> {
  const nats = await startNats();
  const buses: Bus[] = [];
  return {
    nats,
    connect: async (options) => {
      const bus = await connectBus({ url: nats.url, name: 'test', ...options });
      buses.push(bus);
      return bus;
    },
    stop: async () => {
      await Promise.all(buses.map((bus) => bus.close()));
      await nats.stop();
    },
  };
}

export const contextOf = (limitMs = 5000): CallContext => ({
  requestId: 'r-1',
  deadline: Date.now() + limitMs,
});

export const serveOptions: ServeOptions = {
  name: 'shortlink',
  version: '1.0.0',
  description: 'for tests',
  maxInFlight: 100,
  onError: () => undefined,
};

export const reply = (value: unknown): RawReply => ({
  outcome: 'ok',
  data: new TextEncoder().encode(JSON.stringify(value)),
});

/** Endpoints for both operations with one handler. */
export const endpointsWith = (handle: RawHandler): Endpoint[] => [
  { operation: withBody, handle },
  { operation: withParams, handle },
];

export const refusing =
  (error: Error): RawHandler =>
  async () => {
    throw error;
  };
