import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { launchNats } from './nats-process.ts';
import { maxPayloadBytes, type TestNats } from './test-nats.ts';

/** One server of a cluster. */
export type NatsNode = Omit<TestNats, 'stop'> & { readonly name: string };

/** A stream or a consumer, as the server that leads it tells. */
export interface Replicated {
  readonly name: string;
  /** How many servers are to keep it. */
  readonly replicas: number;
  readonly leader: string;
  /** The other servers that keep it and have all of it. */
  readonly current: readonly string[];
}

/** Three nats-servers with JetStream on this machine, which know each other by routes. */
export interface NatsCluster {
  /** Every server, comma-separated. */
  readonly url: string;
  readonly nodes: readonly NatsNode[];
  /** The streams and consumers (`<stream> <consumer>`) that have a leader now. */
  readonly replicated: () => Promise<Replicated[]>;
  /** The server that leads a stream; waits for an election. */
  readonly leaderOf: (stream: string) => Promise<NatsNode>;
  /** Waits until every server is healthy, and each stream and consumer whole on all that are to keep it. */
  readonly whole: () => Promise<void>;
  /** Ends the servers and removes their data. */
  readonly stop: () => Promise<void>;
}

interface RaftGroup {
  readonly leader?: string;
  readonly replicas?: readonly { name: string; current: boolean; offline?: boolean }[];
}
interface Detail {
  readonly name: string;
  readonly config: { readonly num_replicas: number };
  readonly cluster?: RaftGroup;
}
interface StreamDetail extends Detail {
  readonly consumer_detail?: readonly Detail[];
}
interface Jsz {
  readonly account_details?: readonly { stream_detail?: readonly StreamDetail[] }[];
}

const names = ['n1', 'n2', 'n3'] as const;
const patience = { limitMs: 60_000, everyMs: 100 };
const answerLimitMs = 1000;

export async function startNatsCluster(): Promise<NatsCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'nats-cluster-'));
  const places = await Promise.all(
    names.map(async (name) => {
      const [port, monitor, route] = await Promise.all([freePort(), freePort(), freePort()]);
      return { name, port, monitor, route, directory: join(directory, name) };
    }),
  );
  const routes = places.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ');
  const configOf = ({ name, port, monitor, route, directory }: (typeof places)[number]) => `
    server_name: ${name}
    listen: "127.0.0.1:${port}"
    http: "127.0.0.1:${monitor}"
    max_payload: ${maxPayloadBytes}
    jetstream { store_dir: ${JSON.stringify(directory)} }
    cluster {
      name: test
      listen: "127.0.0.1:${route}"
      routes: [${routes}]
      # By default a server goes on sending to a frozen one for minutes: half of all requests.
      ping_interval: "1s"
      ping_max: 2
    }
  `;
  const nodes = await Promise.all(
    places.map(async (place) => {
      await mkdir(place.directory);
      return startNode(place, () => launchNats(place.directory, configOf(place)));
    }),
  );

  const ask = async (monitor: number, path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(answerLimitMs);
    const answer = await fetch(`http://127.0.0.1:${monitor}${path}`, { signal });
    return answer.json();
  };
  const replicated = async (): Promise<Replicated[]> => {
    const answers = await Promise.all(
      places.map(async ({ name, monitor }) => {
        const jsz = (await ask(monitor, '/jsz?consumers=true&config=true').catch(() => ({}))) as Jsz;
        return ledBy(name, jsz);
      }),
    );
    return answers.flat();
  };
  const isWhole = async (): Promise<boolean> => {
    const healths = await Promise.all(places.map(({ monitor }) => ask(monitor, '/healthz')));
    const isHealthy = healths.every((health) => (health as { status: string }).status === 'ok');
    return (
      isHealthy && (await replicated()).every(({ replicas, current }) => current.length + 1 === replicas)
    );
  };
  return {
    url: nodes.map(({ url }) => url).join(','),
    nodes,
    replicated,
    leaderOf: (stream) =>
      waitFor(
        async () => {
          const led = (await replicated()).find(({ name }) => name === stream);
          return nodes.find(({ name }) => name === led?.leader);
        },
        { ...patience, what: `a leader of ${stream}` },
      ),
    whole: async () => {
      await waitFor(isWhole, { ...patience, what: 'the NATS cluster to be whole' });
    },
    stop: async () => {
      await Promise.all(nodes.map(({ kill }) => kill()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startNode(
  { name, port }: { name: string; port: number },
  launch: () => ReturnType<typeof launchNats>,
): Promise<NatsNode> {
  let running = await launch();
  return {
    name,
    url: `nats://127.0.0.1:${port}`,
    kill: () => running.kill(),
    pause: async () => running.pause(),
    resume: async () => running.resume(),
    restart: async () => {
      await running.kill();
      running = await launch();
    },
  };
}

/** Only the leader knows how far the others are. */
function ledBy(server: string, { account_details: accounts = [] }: Jsz): Replicated[] {
  const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
  const consumers = streams.flatMap(({ name, config, consumer_detail: details = [] }) =>
    details.map((detail) => {
      const replicas = detail.config.num_replicas || config.num_replicas;
      return { ...detail, name: `${name} ${detail.name}`, config: { num_replicas: replicas } };
    }),
  );
  return [...streams, ...consumers]
    .filter(({ cluster }) => cluster?.leader === server)
    .map(({ name, config, cluster }) => ({
      name,
      replicas: config.num_replicas,
      leader: server,
      current: (cluster?.replicas ?? []).filter((one) => one.current && !one.offline).map((one) => one.name),
    }));
}
