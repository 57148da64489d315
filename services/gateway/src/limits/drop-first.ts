/** Bounds a map that is used as a cache: the entry that was set first goes. */
export function dropFirst<K>(map: Map<K, unknown>): void {
  const first = map.keys().next();
  if (!first.done) map.delete(first.value);
}
