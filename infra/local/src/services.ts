import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '@joblisting/service-kit/node-flags';
import { root } from '../bootstrap/paths.mjs';
import { logOutput, tailOf } from './log-files.ts';
import { prettyLine, withoutName } from './pretty-line.ts';
import { startChild } from './processes/child.ts';
import type { Guard } from './processes/guard.ts';
import type { Program } from './processes/supervise.ts';
import type { Nats } from './servers/start-servers.ts';
import type { Settings } from './settings.ts';
import { untilReady } from './until-ready.ts';

export type Service = {
  readonly name: string;
  /** The file that Node runs. */
  readonly main: string;
  /** The front door listens on the port that the settings name, the others on loopback for health only. */
  readonly frontDoor: boolean;
};

/**
 * Every service of the product, as it was built. A test keeps the folders equal to the list of services in `contracts`,
 * which would cost this process 20 MB.
 */
export const services: readonly Service[] = readdirSync(join(root, 'services')).map((name) => ({
  name,
  main: join(root, 'services', name, 'dist', 'main.js'),
  frontDoor: name === 'gateway',
}));

export type ServiceOptions = {
  readonly settings: Settings;
  readonly nats: Nats;
  readonly mongodbUri: string;
  /** Where it answers /readyz. */
  readonly port: number;
  /** Where it answers /metrics; the front door shows its clients none. */
  readonly metricsPort: number;
  readonly logDir: string;
  readonly show: (line: string) => void;
};

/** A service as a process of its own, configured by environment alone. */
export function serviceProgram(service: Service, options: ServiceOptions, guard: Guard): Program {
  const { settings, port, logDir, show } = options;
  const logFile = join(logDir, `${service.name}.log`);
  const host = service.frontDoor ? reachable(settings.host) : '127.0.0.1';
  return {
    name: service.name,
    launch: () =>
      startChild(
        {
          file: process.execPath,
          args: [...process.execArgv, ...NODE_FLAGS, service.main],
          env: { ...NODE_ENVIRONMENT, ...process.env, ...environment(service, options) },
          output: logOutput(service.name, logFile, show),
        },
        guard,
      ),
    ready: (signal) => untilReady(`http://${host}:${port}`, signal),
    lastWords: () => {
      const line = tailOf(logFile, /"level":[56]0|Error: /);
      return `${withoutName(service.name, prettyLine(service.name, line) ?? line)} (${logFile})`;
    },
  };
}

function environment(service: Service, options: ServiceOptions): NodeJS.ProcessEnv {
  const { settings, nats, mongodbUri, port, metricsPort } = options;
  return {
    NATS_URL: nats.url,
    ...nats.credentialsOf(service.name),
    MONGODB_URI: mongodbUri,
    CLOCK_OFFSET_MS: String(settings.clockOffsetMs),
    PUBLIC_URL: settings.publicUrl,
    // One gateway: no other one takes over while it drains.
    DRAIN_MS: '0',
    SEARCH_URL: settings.searchUrl,
    ...(service.frontDoor && { HOST: settings.host, PORT: String(port) }),
    HEALTH_PORT: String(metricsPort),
  };
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
