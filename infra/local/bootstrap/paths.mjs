import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** Downloads. Safe to delete at any time. */
export const cache = join(root, '.cache');

/** Paths of the servers, `{"mongod": path, "nats-server": path}`. Tests read it too. */
export const serversFile = join(cache, 'servers.json');

export const executable = process.platform === 'win32' ? '.exe' : '';
