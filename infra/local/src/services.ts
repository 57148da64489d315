import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { root } from '../bootstrap/paths.mjs';
import { mailDirectory } from './data-files.ts';
import { logOutput, prettyLine, tailOf, withoutName } from './logs.ts';
import { untilReady } from './network.ts';
import { type Guard, startChild } from './processes/child.ts';
import type { Program } from './processes/supervise.ts';
import { siteKeyFile } from './servers/secrets.ts';
import type { Access } from './servers/start-servers.ts';
import type { Settings } from './settings.ts';

export type Service = {
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  /** The setting with the port on which clients reach it; the others serve only health, on loopback. */
  readonly publicPort: 'port' | 'sitePort' | undefined;
};

const publicPorts: Readonly<Record<string, Service['publicPort']>> = { gateway: 'port', site: 'sitePort' };

/** Every built service. Reads the folders because loading the list in `contracts` takes 20 MB. */
export const services: readonly Service[] = readdirSync(join(root, 'services')).map((name) => ({
  name,
  main: join(root, 'services', name, 'dist', 'main.js'),
  publicPort: publicPorts[name],
}));

export type ServiceOptions = {
  readonly settings: Settings;
  readonly nats: Access;
  readonly mongodb: Access;
  /** Serves /readyz. */
  readonly port: number;
  /** Serves /metrics, apart from a public port. */
  readonly metricsPort: number;
  readonly logDir: string;
  readonly show: (line: string) => void;
};

/** A service as its own process, configured by environment only. */
export function serviceProgram(service: Service, options: ServiceOptions, guard: Guard): Program {
  const { settings, port, logDir, show } = options;
  const logFile = join(logDir, `${service.name}.log`);
  const host = service.publicPort ? reachable(settings.host) : '127.0.0.1';
  return {
    name: service.name,
    launch: () =>
      startChild(
        {
          file: process.execPath,
          args: [...process.execArgv, ...NODE_FLAGS, service.main],
          env: { ...NODE_ENVIRONMENT, ...process.env, ...environment(service, options) },
          output: logOutput(service.name, logDir, show),
        },
        guard,
      ),
    ready: (signal) => untilReady(`http://${host}:${port}`, signal),
    lastLogLine: () => {
      const line = tailOf(logFile, /"level":[56]0|Error: /);
      return `${withoutName(service.name, prettyLine(service.name, line) ?? line)} (${logFile})`;
    },
  };
}

function environment(service: Service, options: ServiceOptions): NodeJS.ProcessEnv {
  const { settings, nats, mongodb, port, metricsPort } = options;
  return {
    NATS_URL: nats.url,
    ...nats.credentialsOf(service.name),
    MONGODB_URI: mongodb.url,
    ...mongodb.credentialsOf(service.name),
    CLOCK_OFFSET_MS: String(settings.clockOffsetMs),
    PUBLIC_URL: settings.publicUrl,
    // No other gateway takes over, so draining would only delay the stop.
    DRAIN_MS: '0',
    SEARCH_URL: settings.searchUrl,
    API_URL: `http://${reachable(settings.host)}:${settings.port}`,
    CONSUMER_KEY_FILE: siteKeyFile(settings.dataDir),
    MAIL: settings.mail === 'off' ? 'off' : 'on',
    MAIL_DIR: mailDirectory(settings.dataDir),
    // For trying: a receiver on this machine, over http.
    WEBHOOK_ALLOWED_NETWORKS: process.env['WEBHOOK_ALLOWED_NETWORKS'] ?? 'loopback',
    ...(service.publicPort && { HOST: settings.host, PORT: String(port) }),
    HEALTH_PORT: String(metricsPort),
  };
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
