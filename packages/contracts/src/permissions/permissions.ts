import { type Event, inboxPrefixOf } from '../operation.ts';
import { operations, parties, type Party, type PartyName, serviceNames, streams } from './services.ts';

/** What a user of the bus may do: NATS subjects. A subscription is followed by its queue group, if it has one. */
export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** May answer the requests that it gets. */
  readonly answers: boolean;
}

/** Requests of the NATS services API, to all, to those of this name, and to one replica. */
const discovery = (name: string): string[] => [
  ...['PING', 'INFO', 'STATS'].map((verb) => `$SRV.${verb}`),
  `$SRV.*.${name}`,
  `$SRV.*.${name}.*`,
];

/** The JetStream API of one durable consumer, with its one filter. */
const consuming = ({ stream, subject }: Event, durable: string): string[] => [
  `$JS.API.STREAM.INFO.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.${durable}.${subject}`,
  `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
];

/** Whoever decides what a stream keeps could have it keep other people's messages: that is for one party alone. */
const keepingStreams = (): string[] =>
  streams.flatMap(({ name }) => ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${name}`));

const subjectOf = ({ subject }: { readonly subject: string }): string => subject;
const sorted = (subjects: readonly string[]): string[] => [...new Set(subjects)].toSorted();

/**
 * What a party may do on the bus, and nothing else: serve its own operations in its own queue group, call those that
 * it declares, handle its own events, and listen to its own inbox.
 */
export function permissionsOf(name: PartyName): Permissions {
  const party: Party = parties[name];
  const { calls = [], publishes = [], consumes = [], looksUp = [], notifies = [], listens = [] } = party;
  const isService = (serviceNames as readonly string[]).includes(name);
  const served = operations.filter(({ owner }) => owner === name);
  return {
    publish: sorted([
      ...[...calls, ...publishes, ...notifies].map(subjectOf),
      ...publishes.map(({ stream }) => `$JS.API.STREAM.INFO.${stream}`),
      ...looksUp.map(({ stream }) => `$JS.API.STREAM.MSG.GET.${stream}`),
      ...consumes.flatMap(({ event, durable }) => consuming(event, durable)),
      ...(party.keepsStreams ? keepingStreams() : []),
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
