import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { waitFor } from '../wait-for.ts';
import { launchNats } from './nats-process.ts';
import { MAX_PAYLOAD_BYTES, type TestNats } from './test-nats.ts';

/** One server of a cluster. */
export type NatsNode = Omit<TestNats, 'stop'> & { readonly name: string };

/** A stream or a consumer, as its leader reports it. */
export interface Replicated {
  readonly name: string;
  /** How many servers should have it. */
  readonly replicas: number;
  readonly leader: string;
  /** The other servers whose copy is complete. */
  readonly current: readonly string[];
}

/** A cluster of three nats-servers with JetStream on this machine. */
export interface NatsCluster {
  /** Every server, comma-separated. */
  readonly url: string;
  readonly nodes: readonly NatsNode[];
  /** The streams and consumers (`<stream> <consumer>`) that have a leader now. */
  readonly replicated: () => Promise<Replicated[]>;
  /** Waits for an election and resolves to the leader of a stream. */
  readonly leaderOf: (stream: string) => Promise<NatsNode>;
  /** Waits until every server is healthy and every replica of a stream or consumer is complete. */
  readonly untilHealthy: () => Promise<void>;
  /** Ends the servers and deletes their data. */
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

const NAMES = ['n1', 'n2', 'n3'] as const;
const PATIENCE = { limitMs: 60_000, everyMs: 100 };
const ANSWER_LIMIT_MS = 1000;

export async function startNatsCluster(): Promise<NatsCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'nats-cluster-'));
  const settings = await Promise.all(
    NAMES.map(async (name) => {
      const [port, monitor, route] = await Promise.all([freePort(), freePort(), freePort()]);
      return { name, port, monitor, route, directory: join(directory, name) };
    }),
  );
  const routes = settings.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ');
  const configOf = ({ name, port, monitor, route, directory }: (typeof settings)[number]) => `
    server_name: ${name}
    listen: "127.0.0.1:${port}"
    http: "127.0.0.1:${monitor}"
    max_payload: ${MAX_PAYLOAD_BYTES}
    jetstream { store_dir: ${JSON.stringify(directory)} }
    cluster {
      name: test
      listen: "127.0.0.1:${route}"
      routes: [${routes}]
      # By default a server routes requests to a frozen one for minutes.
      ping_interval: "1s"
      ping_max: 2
    }
  `;
  const nodes = await Promise.all(
    settings.map(async (one) => {
      await mkdir(one.directory);
      return startNode(one, () => launchNats(one.directory, configOf(one)));
    }),
  );

  const get = async (monitor: number, path: string): Promise<unknown> => {
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const answer = await fetch(`http://127.0.0.1:${monitor}${path}`, { signal });
    return answer.json();
  };
  const replicated = async (): Promise<Replicated[]> => {
    const answers = await Promise.all(
      settings.map(async ({ name, monitor }) => {
        const jsz = (await get(monitor, '/jsz?consumers=true&config=true').catch(() => ({}))) as Jsz;
        return ledBy(name, jsz);
      }),
    );
    return answers.flat();
  };
  const isHealthy = async (): Promise<boolean> => {
    const healths = await Promise.all(settings.map(({ monitor }) => get(monitor, '/healthz')));
    const areServersHealthy = healths.every((health) => (health as { status: string }).status === 'ok');
    return (
      areServersHealthy &&
      (await replicated()).every(({ replicas, current }) => current.length + 1 === replicas)
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
        { ...PATIENCE, what: `a leader of ${stream}` },
      ),
    untilHealthy: async () => {
      await waitFor(isHealthy, { ...PATIENCE, what: 'the NATS cluster to be healthy' });
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

/** The streams and consumers that a server leads. Only a leader knows how complete the others are. */
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
