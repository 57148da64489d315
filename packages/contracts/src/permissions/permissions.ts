import { type Event, inboxPrefixOf } from '../operation.ts';
import type { Party } from './service.ts';
import { parties, type PartyName, serviceNames } from './services.ts';
import { operations, streams } from './subjects.ts';

/** NATS subjects that a bus user may use. A subscription is `<subject>` or `<subject> <queue group>`. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether the user may answer requests. */
  readonly answers: boolean;
}

/** Requests of the NATS services API to all services, to this one, and to one of its replicas. */
const discovery = (name: string): string[] => [
  ...['PING', 'INFO', 'STATS'].map((verb) => `$SRV.${verb}`),
  `$SRV.*.${name}`,
  `$SRV.*.${name}.*`,
];

/** The JetStream API of one durable consumer with one filter. */
const consumerSubjects = ({ stream, subject }: Event, durable: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
];

/** Only one party may change streams, because a stream can capture any subject. */
const streamAdminSubjects = (): string[] =>
  streams.flatMap(({ name }) => ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`));

const subjectOf = ({ subject }: { readonly subject: string }): string => subject;
const sorted = (subjects: readonly string[]): string[] => [...new Set(subjects)].toSorted();

/**
 * Everything that a party may do on the bus: serve its own operations in its own queue group, call the declared
 * operations, use the declared events, and read its own inbox.
 */
export function permissionsOf(name: PartyName): Permissions {
  const party: Party = parties[name];
  const {
    calls = [],
    publishes = [],
    consumes = [],
    reads = [],
    readsLast = [],
    notifies = [],
    listens = [],
  } = party;
  const isService = (serviceNames as readonly string[]).includes(name);
  const served = operations.filter(({ owner }) => owner === name);
  return {
    publish: sorted([
      ...[...calls, ...publishes, ...notifies].map(subjectOf),
      ...publishes.map(({ stream }) => `$JS.API.STREAM.INFO.${stream}`),
      ...readsLast.map(({ stream }) => `$JS.API.STREAM.MSG.GET.${stream}`),
      ...reads.flatMap(({ name: stream }) => [
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
      ]),
      ...consumes.flatMap(({ event, durable }) => consumerSubjects(event, durable)),
      ...(party.managesStreams ? streamAdminSubjects() : []),
    ]),
    subscribe: sorted([
      `${inboxPrefixOf(name)}.>`,
      ...served.map(({ subject }) => `${subject} ${name}`),
      ...listens.map(subjectOf),
      ...(isService ? discovery(name) : []),
    ]),
    answers: isService,
  };
}
