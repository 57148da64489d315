import { background, type Clock, type Log, type Metrics, type Mongo } from '@joblisting/service-kit';
import type { Addresses } from '../addresses.ts';
import { askingStore } from '../asking-store.ts';
import type { Provider } from '../provider.ts';
import { removalStore } from '../removal-store.ts';
import { allowanceStore } from './allowance-store.ts';
import { callSlots } from './call-slots.ts';
import { circuit } from './circuit.ts';
import { bitlyClient } from './client.ts';
import { linkMaker } from './link-maker.ts';
import { callPause } from './pause.ts';
import { bitlyProvider } from './provider.ts';
import { removeBitlinks } from './remove-bitlinks.ts';
import type { BitlySettings } from './settings.ts';
import { stateLog } from './state-log.ts';

interface Surroundings {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly log: Log;
  readonly addresses: Addresses;
  readonly metrics: Metrics;
}

export interface Bitly {
  readonly provider: Provider;
  readonly createIndexes: () => Promise<void>;
  /** Starts the removal of links whose jobs are gone, also of those that were given up before. */
  readonly startRemoving: () => Promise<Removing>;
}

export interface Removing {
  readonly nudge: () => void;
  readonly stop: () => Promise<void>;
}

const REMOVE_EVERY_MS = 2000;

/** Wires what speaks to bitly. Making and removing fail apart from each other; a pause holds for both. */
export function bitly(settings: BitlySettings, surroundings: Surroundings): Bitly {
  const { mongo, clock, log, metrics } = surroundings;
  const allowance = allowanceStore(mongo, settings);
  const shared = {
    ...surroundings,
    allowance,
    client: bitlyClient(settings),
    slots: callSlots(settings.callsAtOnce),
    pause: callPause(clock, allowance, log),
  };
  const circuits = { make: circuit(settings.breakMs), remove: circuit(settings.breakMs) };
  metrics.gauge(
    {
      name: 'shortlink_provider_circuit_open',
      help: '1 while the provider is left alone after failures, by what was asked of it: make or remove.',
      labelNames: ['task'],
    },
    () =>
      Object.entries(circuits).map(([task, { isOpen }]) => ({ labels: { task }, value: Number(isOpen()) })),
  );
  const maker = linkMaker({
    ...shared,
    asking: askingStore(mongo),
    circuit: circuits.make,
    state: stateLog(log, 'make links'),
  });

  const startRemoving = async (): Promise<Removing> => {
    const removals = removalStore(mongo);
    await removals.resume(clock.now());
    const stopping = new AbortController();
    const parts = {
      ...shared,
      maker,
      removals,
      circuit: circuits.remove,
      state: stateLog(log, 'remove links'),
    };
    const task = background('remove bitlinks', REMOVE_EVERY_MS, removeBitlinks(parts, stopping.signal), log);
    return {
      nudge: task.nudge,
      stop: () => {
        stopping.abort();
        return task.stop();
      },
    };
  };

  return {
    provider: bitlyProvider(maker, settings.timeoutMs),
    createIndexes: allowance.createIndexes,
    startRemoving,
  };
}
