/**
 * What Node is started with to run a service: megabytes of the young and of the old generation. A service holds
 * little for long, and what it takes in at once is bounded. Without these limits the collector lets the heap grow
 * for as long as the machine has memory: 300 MB under load where 170 are enough, for one percent of CPU.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=192'];
