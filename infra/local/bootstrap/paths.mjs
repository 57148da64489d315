import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** What was fetched and may be deleted at any time. */
export const cache = join(root, '.cache');

/** Where the found or fetched servers are: `{"mongod": path, "nats-server": path}`. Tests read it too. */
export const serversFile = join(cache, 'servers.json');

export const executable = process.platform === 'win32' ? '.exe' : '';
