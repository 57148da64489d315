/**
 * What Node is started with to run a service. Megabytes of the young and of the old generation: a service holds
 * little for long, and what it takes in at once is bounded. Without these limits the collector lets the heap grow for
 * as long as the machine has memory: 300 MB under load where 170 are enough. Half of this young generation would cost the
 * gateway a tenth of its CPU and save no memory to speak of. One helper thread of V8 instead of four: on few cores the
 * others take turns from the one that answers.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--max-old-space-size=192',
  '--v8-pool-size=1',
];
