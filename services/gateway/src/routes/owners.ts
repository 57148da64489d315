import type { Row } from './row.ts';

/** What a word of a path ends with. */
const ENDS = '/?#';

/**
 * Says which service a request will wait for, by no more than the first word of its path: of `/v1.0/jobs/42` by
 * `jobs`. Undefined for what waits for none, and for what no operation is known by.
 */
export function ownersOf(table: readonly Row[], basePath: string): (target: string) => string | undefined {
  const start = `${basePath}/`;
  const owners = new Map<string, string>();
  for (const { path, operation } of table) {
    if ('owner' in operation) owners.set(firstWord(path, 1), operation.owner);
  }
  return (target) => (target.startsWith(start) ? owners.get(firstWord(target, start.length)) : undefined);
}

// For every request: without a pattern it costs a tenth.
function firstWord(path: string, from: number): string {
  let end = from;
  while (end < path.length && !ENDS.includes(path.charAt(end))) end++;
  return path.slice(from, end);
}
