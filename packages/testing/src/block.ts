/** Keeps this process busy for so many milliseconds: nothing else gets a turn meanwhile. */
export function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
