import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ServerProgram = 'mongod' | 'nats-server';

const variables: Record<ServerProgram, string> = { mongod: 'MONGOD_BIN', 'nats-server': 'NATS_SERVER_BIN' };

/** What the embedded start found or fetched, written by its bootstrap: `{"mongod": path, "nats-server": path}`. */
const foundServers = new URL('../../../../.cache/servers.json', import.meta.url);

/**
 * Where a server program is: the environment (`MONGOD_BIN`, `NATS_SERVER_BIN`), then what the bootstrap found,
 * then PATH.
 * @throws Error that says how to get the program, when it is nowhere.
 */
export function serverBinary(program: ServerProgram): string {
  const candidates = [process.env[variables[program]], cached(program), onPath(program)];
  const found = candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found === undefined) {
    throw new Error(
      `${program} was not found: run \`npm test\` from the root once, or set ${variables[program]}.`,
    );
  }
  return found;
}

function cached(program: ServerProgram): string | undefined {
  if (!existsSync(foundServers)) return undefined;
  const paths = JSON.parse(readFileSync(foundServers, 'utf8')) as Partial<Record<ServerProgram, string>>;
  return paths[program];
}

function onPath(program: ServerProgram): string | undefined {
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, file))
    .find((path) => existsSync(path));
}
