/**
 * What Node is started with to run a service. Megabytes of the young and of the old generation: a service holds
 * little for long, and what it takes in at once is bounded. Without these limits the collector lets the heap grow for
 * as long as the machine has memory: 300 MB under load where 170 are enough, for one or two percent of CPU. Half of
 * this young generation is 10 MB less for the gateway under load, and twice the collections. One helper thread of V8
 * instead of four: on few cores the others take turns from the one that answers. No site of the code may put its new
 * objects into the old generation at once, which V8 decides where most of them outlived a collection: with 32 requests
 * under way all of them do at first, and what every later request then left there kept the rest of it alive, in one
 * run of six for a quarter to a half more CPU of that service.
 *
 * The young generation begins, and stays, as large as it may be. Else V8 begins with 1 MB, lets it grow by what outlives
 * collections, which is next to nothing with one request at a time, and goes back to 1 MB whenever a service has little
 * to do for some seconds. A collection of one megabyte costs as much as one of four. Worth: 8 % of a GET job's CPU at
 * one connection.
 *
 * V8's best compiler takes what is called a thousand times, not three thousand. 32 requests at once take other ways through
 * the same functions than one does, V8 throws their code away, and not all of it was back after 15 s of a thousand requests a
 * second. Worth: 4 % of a GET job's CPU at one connection behind 32, for 2 MB.
 *
 * The young generation is collected while the old one is marked. By default (V8 13.6) it is not: in the 100 ms that
 * marking takes where others want the processors too, 20 MB are made, and the heap may grow from there. Of the gateway
 * under public answers it kept 124 to 129 MB where there had been 129 to 172.
 *
 * The code that V8 optimised keeps the shapes of objects that it was made for, except in a collection that is to give
 * memory back, such as the one after the start. By default the second collection of the old generation lets go of shapes of which
 * there are no objects at that moment, and of the code with them: with one request at a time each of them cost the next some thousand
 * requests unoptimised code, a twentieth of a GET job's CPU.
 *
 * `gc` is there for a service to let go of what its start has left (`after-start`).
 *
 * Not `--optimize-for-size`, which takes twice the CPU; and not Node's cache of compiled modules, of which a process
 * holds 6 to 9 MB for as long as it runs, for a start that is 0.2 s shorter.
 */
export const NODE_FLAGS: readonly string[] = [
  '--max-semi-space-size=8',
  '--min-semi-space-size=8',
  '--max-old-space-size=192',
  '--v8-pool-size=1',
  '--no-allocation-site-pretenuring',
  '--invocation-count-for-turbofan=1000',
  '--no-separate-gc-phases',
  '--retain-maps-for-n-gc=1000000',
  '--expose-gc',
];

/**
 * The environment that goes with them. glibc keeps an arena of its own for what V8 compiles on its helper thread, and by
 * default gives back less the larger what was freed has been: 10 MB of the gateway under load. In turn, what takes
 * 128 KiB or more is asked of the system each time.
 */
export const NODE_ENVIRONMENT: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
