import type { TestNats } from '@joblisting/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  events,
  operations,
  parties,
  type Party,
  type PartyName,
  partyNames,
  serviceNames,
  streams,
} from '@joblisting/contracts/permissions';
import { inboxOf, intrude, type Intruder } from './attempts.ts';
import { startGuardedNats } from './guarded-nats.ts';

let nats: TestNats;
const users = new Map<PartyName, Intruder>();
beforeAll(async () => {
  nats = await startGuardedNats();
  for (const name of partyNames) users.set(name, await intrude(nats.url, name));
});
afterAll(async () => {
  await Promise.all([...users.values()].map((user) => user.close()));
  await nats.stop();
});
const as = (name: PartyName): Intruder => users.get(name) as Intruder;
const partyOf = (name: PartyName): Party => parties[name];

/** All that the JetStream API can do with a stream and with a consumer. */
const ofStream = (stream: string): string[] => [
  ...['INFO', 'CREATE', 'UPDATE', 'DELETE', 'PURGE', 'MSG.GET', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map(
    (verb) => `$JS.API.STREAM.${verb}.${stream}`,
  ),
  ...['PEER.REMOVE', 'LEADER.STEPDOWN'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
  ...['CREATE', 'LIST', 'NAMES'].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}`),
  `$JS.API.DIRECT.GET.${stream}`,
];
const ofConsumer = (stream: string, durable: string): string[] => [
  ...['CREATE', 'DURABLE.CREATE', 'INFO', 'MSG.NEXT', 'DELETE', 'PAUSE'].map(
    (verb) => `$JS.API.CONSUMER.${verb}.${stream}.${durable}`,
  ),
  `$JS.ACK.${stream}.${durable}.1.1.1.1.1`,
];
const jobEvents = ['created', 'updated', 'published', 'closed', 'deleted'];
const durables = ['jobs', 'metrics', 'applications', 'intruder', ...jobEvents.map((kind) => `site-${kind}`)];
const jetstream = [
  '$JS.API.INFO',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  '$JS.API.STREAM.CREATE.TAP',
  '$JS.API.CONSUMER.CREATE.SCHEDULER.jobs.scheduler.v1.event.transition-due',
  '$JS.API.CONSUMER.CREATE.SCHEDULER.jobs.>',
  '$JS.API.CONSUMER.CREATE.SCHEDULER.applications.scheduler.v1.event.transition-due',
  '$JS.API.CONSUMER.CREATE.METRICS.metrics.metrics.v1.event.reported',
  '$JS.API.CONSUMER.CREATE.APPLICATIONS.metrics.applications.v1.event.received',
  '$JS.API.CONSUMER.CREATE.APPLICATIONS.metrics.applications.v1.event.copy-failed',
  ...jobEvents.map((kind) => `$JS.API.CONSUMER.CREATE.JOBS.site-${kind}.jobs.v1.event.${kind}`),
  ...streams.flatMap(({ name }) => ofStream(name)),
  ...streams.flatMap(({ name }) => durables.flatMap((durable) => ofConsumer(name, durable))),
];

/** What each party may do of it. Written out, so that no change of the generator can widen it unseen. */
const permittedOfJetStream: Partial<Record<PartyName, readonly string[]>> = {
  jobs: [
    '$JS.API.STREAM.INFO.JOBS',
    '$JS.API.STREAM.INFO.SCHEDULER',
    '$JS.API.CONSUMER.CREATE.SCHEDULER.jobs.scheduler.v1.event.transition-due',
    '$JS.API.CONSUMER.INFO.SCHEDULER.jobs',
    '$JS.API.CONSUMER.MSG.NEXT.SCHEDULER.jobs',
    '$JS.ACK.SCHEDULER.jobs.1.1.1.1.1',
  ],
  site: [
    '$JS.API.STREAM.INFO.JOBS',
    ...jobEvents.flatMap((kind) => [
      `$JS.API.CONSUMER.CREATE.JOBS.site-${kind}.jobs.v1.event.${kind}`,
      `$JS.API.CONSUMER.INFO.JOBS.site-${kind}`,
      `$JS.API.CONSUMER.MSG.NEXT.JOBS.site-${kind}`,
      `$JS.ACK.JOBS.site-${kind}.1.1.1.1.1`,
    ]),
  ],
  metrics: [
    '$JS.API.STREAM.INFO.METRICS',
    '$JS.API.CONSUMER.CREATE.METRICS.metrics.metrics.v1.event.reported',
    '$JS.API.CONSUMER.INFO.METRICS.metrics',
    '$JS.API.CONSUMER.MSG.NEXT.METRICS.metrics',
    '$JS.ACK.METRICS.metrics.1.1.1.1.1',
    '$JS.API.STREAM.INFO.APPLICATIONS',
    '$JS.API.CONSUMER.CREATE.APPLICATIONS.metrics.applications.v1.event.received',
    '$JS.API.CONSUMER.INFO.APPLICATIONS.metrics',
    '$JS.API.CONSUMER.MSG.NEXT.APPLICATIONS.metrics',
    '$JS.ACK.APPLICATIONS.metrics.1.1.1.1.1',
  ],
  applications: [
    '$JS.API.STREAM.INFO.APPLICATIONS',
    '$JS.API.STREAM.INFO.SCHEDULER',
    '$JS.API.CONSUMER.CREATE.SCHEDULER.applications.scheduler.v1.event.transition-due',
    '$JS.API.CONSUMER.INFO.SCHEDULER.applications',
    '$JS.API.CONSUMER.MSG.NEXT.SCHEDULER.applications',
    '$JS.ACK.SCHEDULER.applications.1.1.1.1.1',
  ],
  categories: ['$JS.API.STREAM.INFO.CATEGORIES'],
  events: ['JOBS', 'APPLICATIONS', 'CATEGORIES'].flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
  ]),
  scheduler: ['$JS.API.STREAM.INFO.SCHEDULER', '$JS.API.STREAM.MSG.GET.SCHEDULER'],
  'search-site': ['$JS.API.STREAM.INFO.METRICS'],
  setup: ['APPLICATIONS', 'CATEGORIES', 'JOBS', 'METRICS', 'SCHEDULER'].flatMap((stream) =>
    ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
  ),
};

const without = (all: readonly string[], permitted: readonly string[]): string[] =>
  all.filter((one) => !permitted.includes(one));

describe.each(partyNames)('%s', (name) => {
  const { calls = [], publishes = [], notifies = [], listens = [] } = partyOf(name);

  it.each(partyNames.filter((other) => other !== name))('is kept out of what is of %s', async (other) => {
    const served = operations.filter(({ owner }) => owner === other).map(({ subject }) => subject);
    const published = events
      .map(({ subject }) => subject)
      .filter((subject) => subject.startsWith(`${other}.`));
    const mayPublish = [...calls, ...publishes, ...notifies].map(({ subject }) => subject);
    const mayHear = listens.map(({ subject }) => subject);
    const inbox = inboxOf(other);

    const toPublish = [...served, ...published, inbox];
    expect(await as(name).deniedPublishing(toPublish)).toEqual(without(toPublish, mayPublish));

    const toHear = [
      ...[...served, `${other}.v1.>`, `${other}.>`].flatMap((subject) => [
        subject,
        `${subject} ${other}`,
        `${subject} ${name}`,
      ]),
      ...published,
      inbox,
      `_INBOX_${other}.>`,
      `$SRV.PING.${other}`,
    ];
    expect(await as(name).deniedSubscribing(toHear)).toEqual(without(toHear, mayHear));
  });

  it('does with JetStream only what its events need', async () => {
    const denied = await as(name).deniedPublishing(jetstream);
    expect(without(jetstream, denied)).toEqual(
      jetstream.filter((subject) => permittedOfJetStream[name]?.includes(subject)),
    );
  });

  it('is kept out of what belongs to nobody, or to all', async () => {
    const own = [`${name}.v1.anything`, 'anything', '$SYS.REQ.SERVER.PING', '$KV.bucket.key', '_INBOX.a.b'];
    expect(await as(name).deniedPublishing(own)).toEqual(own);
    const wide = [
      '>',
      '*.v1.>',
      '*.*.*',
      '_INBOX.>',
      '_INBOX*.>',
      '$JS.>',
      '$JS.API.>',
      '$SYS.>',
      '$SRV.>',
      '$KV.>',
    ];
    expect(await as(name).deniedSubscribing(wide)).toEqual(wide);
  });

  it('serves its operations in its own queue group, and hears its inbox', async () => {
    const served = operations.filter(({ owner }) => owner === name).map(({ subject }) => subject);
    const lines = served.map((subject) => `${subject} ${name}`);
    expect(await as(name).deniedSubscribing([...lines, inboxOf(name), `_INBOX_${name}.>`])).toEqual([]);
    expect(await as(name).deniedSubscribing(served)).toEqual(served);
  });
});

it('leaves no operation that nobody may ask for, and no service without operations to be found by', async () => {
  const called = new Set(partyNames.flatMap((name) => partyOf(name).calls ?? []));
  expect(operations.filter((operation) => !called.has(operation)).map(({ subject }) => subject)).toEqual([]);
  for (const name of serviceNames) {
    const discovery = ['$SRV.PING', `$SRV.INFO.${name}`, `$SRV.STATS.${name}.1`];
    expect(await as(name).deniedSubscribing(discovery)).toEqual([]);
  }
});
