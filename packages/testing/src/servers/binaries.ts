import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ServerProgram = 'mongod' | 'nats-server';

const variables: Record<ServerProgram, string> = { mongod: 'MONGOD_BIN', 'nats-server': 'NATS_SERVER_BIN' };

/** The programs that the local start found or fetched: `{"mongod": path, "nats-server": path}`. */
const CACHE_FILE = new URL('../../../../.cache/servers.json', import.meta.url);

/**
 * The path of a server program: from the environment (`MONGOD_BIN`, `NATS_SERVER_BIN`), from the local start, or on
 * PATH.
 * @throws Error that says how to get the program, if it is in none of them.
 */
export function serverBinary(program: ServerProgram): string {
  const candidates = [process.env[variables[program]], cached(program), onPath(program)];
  const binary = candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
  if (binary === undefined) {
    throw new Error(
      `${program} was not found: run \`npm test\` from the root once, or set ${variables[program]}.`,
    );
  }
  return binary;
}

function cached(program: ServerProgram): string | undefined {
  if (!existsSync(CACHE_FILE)) return undefined;
  const paths = JSON.parse(readFileSync(CACHE_FILE, 'utf8')) as Partial<Record<ServerProgram, string>>;
  return paths[program];
}

function onPath(program: ServerProgram): string | undefined {
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, file))
    .find((path) => existsSync(path));
}
