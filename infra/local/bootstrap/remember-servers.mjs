import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Notes where server programs are, for what runs without the bootstrap. A program that was not looked for, because another
 * server is used this time, stays as it was noted.
 * @param {string} file
 * @param {{mongod?: string | undefined, "nats-server"?: string | undefined}} found
 */
export function rememberServers(file, found) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}';
  const known = Object.entries(found).filter(([, path]) => path !== undefined);
  const after = JSON.stringify({ ...JSON.parse(before), ...Object.fromEntries(known) });
  if (after === before) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
}
