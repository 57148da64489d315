/**
 * Flags of Node for every service. They keep a process under 300 MB, because V8 otherwise sizes its heap by the
 * machine.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=16', // MiB: half of the young generation at most
  '--max-old-space-size=192', // MiB
];

/** One arena of glibc's malloc: with one for each thread, freed memory stays with the process. */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' };
