import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { type NatsCluster, type NatsNode, startNatsCluster, waitFor } from '@joblisting/testing';
import { type Bus, type BusOptions, connectBus } from '../src/index.ts';
import { contextOf, endpointsWith, reply, serveOptions, withBody } from './running-bus.ts';

/** Raft waits 4 s at least before it elects another leader. */
const patience = { limitMs: 40_000, everyMs: 100 };

let cluster: NatsCluster;
const buses: Bus[] = [];
const connect = async (options: Partial<BusOptions> = {}): Promise<Bus> => {
  const bus = await connectBus({ url: cluster.url, name: 'test', ...options });
  buses.push(bus);
  return bus;
};

beforeAll(async () => {
  cluster = await startNatsCluster();
  await cluster.untilHealthy();
}, 60_000);
afterAll(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await cluster.stop();
});

describe('with three replicas', () => {
  let bus: Bus;
  const received: string[] = [];
  const publish = (id: string) => bus.publishEvent(transitionDue, { instant: id }, id);

  beforeAll(async () => {
    bus = await connect({ streamReplicas: 3 });
    await bus.ensureStream(schedulerStream);
    const consuming = bus.consume(transitionDue, {
      durable: 'test',
      batch: 10,
      handle: async (payloads) => void received.push(...payloads.map(({ instant }) => instant)),
      onError: () => undefined,
    });
    buses.push({ ...bus, close: consuming.stop });
    await publish('before');
    await waitFor(() => received.includes('before'), { ...patience, what: 'the first event' });
    await cluster.untilHealthy();
  }, 60_000);

  it('keeps a stream and its consumer on three servers, also when a service without the setting comes', async () => {
    await (await connect()).ensureStream(schedulerStream);
    const kept = await cluster.replicated();
    const { name } = schedulerStream;
    expect(new Set(kept.map((one) => one.name))).toEqual(new Set([name, `${name} test`]));
    expect(kept.map(({ replicas, current }) => [replicas, current.length])).toEqual([
      [3, 2],
      [3, 2],
    ]);
  });

  it('loses neither an event nor what was sent before when the leader of the stream is killed', async () => {
    const leader: NatsNode = await cluster.leaderOf(schedulerStream.name);
    await leader.kill();
    await waitFor(() => publish('after'), { ...patience, what: 'another leader' });
    expect(await publish('before')).toEqual({ duplicate: true });
    await waitFor(() => received.includes('after'), { ...patience, what: 'the event after the kill' });
    await leader.restart();
    await cluster.untilHealthy();
    expect(new Set(received)).toEqual(new Set(['before', 'after']));
  }, 90_000);
});

describe('a connection', () => {
  it('goes on by another server when its own is killed', async () => {
    const [first, second] = cluster.nodes as [NatsNode, NatsNode];
    const service = await connect({ url: first.url });
    const caller = await connect({ url: second.url });
    await service.serve(
      endpointsWith(async () => reply('served')),
      serveOptions,
    );
    const ask = async () => (await caller.request(withBody, { context: contextOf() })).data;
    await waitFor(ask, { ...patience, what: 'the service to be known by the other server' });
    await first.kill();
    await waitFor(ask, { ...patience, what: 'the service to be there again' });
    await first.restart();
  }, 60_000);
});
