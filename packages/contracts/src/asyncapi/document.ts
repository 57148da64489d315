import type { Event, Operation } from '../operation.ts';
import { parties, type Party, serviceNames, services, streams } from '../permissions/index.ts';
import { Refusal, ReplyEnvelope, RequestEnvelope } from './envelopes.ts';
import { introduction } from './introduction.ts';
import { componentSchemas, describeSchema, type Document } from './schemas.ts';

/** What is described under a name: the one that the contracts export it by. */
type Named<T> = readonly [name: string, described: T];

const contracts = serviceNames.flatMap((name): Named<unknown>[] => Object.entries(services[name].contract));
const has = (value: unknown, ...keys: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && keys.every((key) => key in value);
const operations = contracts.filter((one): one is Named<Operation> => has(one[1], 'subject', 'owner'));
const events = contracts.filter((one): one is Named<Event> => has(one[1], 'subject', 'payload'));

/**
 * The bus as an AsyncAPI 3.0 document, as the owners of the operations and events see it: they receive requests, and
 * send events.
 */
export const describeBus = (version: string): Document => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Job Listing Service: message bus',
    version,
    description: introduction,
    license: { name: 'MIT' },
    tags: serviceNames.map((name) => ({ name, description: services[name].does })),
  },
  defaultContentType: 'application/json',
  servers: {
    bus: {
      host: '{host}',
      protocol: 'nats',
      description: 'NATS 2.10 or newer with JetStream.',
      variables: { host: { default: 'localhost:4222', description: 'Host and port of a server.' } },
      security: [{ $ref: '#/components/securitySchemes/user' }],
    },
  },
  channels: {
    ...Object.fromEntries(operations.map(([name, operation]) => [name, requestChannel(operation)])),
    ...Object.fromEntries(events.map(([name, event]) => [name, eventChannel(event)])),
    inbox: inbox(),
  },
  operations: Object.fromEntries([
    ...operations.map(([name, operation]) => [name, receive(name, operation)] as const),
    ...events.map(([name, event]) => [name, send(name, event)] as const),
  ]),
  components: {
    schemas: componentSchemas(),
    securitySchemes: {
      user: { type: 'userPassword', description: 'A user for each service, with a password or an NKey.' },
    },
  },
});

const requestChannel = ({ subject, summary, params, body }: Operation): Document => ({
  address: subject,
  summary,
  messages: {
    request: {
      headers: headerOf({
        allOf: [
          describeSchema(RequestEnvelope),
          { type: 'object', properties: { params: describeSchema(params) } },
        ],
      }),
      ...(body && { payload: describeSchema(body) }),
    },
  },
});

/** One channel for all replies, because a reply goes to an inbox that the caller chose. */
const inbox = (): Document => ({
  address: null,
  summary: 'The reply subject of a request.',
  messages: {
    ...Object.fromEntries(
      operations.map(([name, { reply }]) => [
        name,
        {
          headers: headerOf(describeSchema(ReplyEnvelope)),
          ...(reply && { payload: describeSchema(reply) }),
        },
      ]),
    ),
    refusal: {
      headers: headerOf({
        type: 'object',
        required: ['error'],
        properties: { error: describeSchema(Refusal) },
      }),
    },
  },
});

const receive = (name: string, operation: Operation) => ({
  action: 'receive',
  channel: { $ref: `#/channels/${name}` },
  summary: operation.summary,
  description: usesOf(operation),
  tags: [{ name: operation.owner }],
  bindings: { nats: { queue: operation.owner } },
  messages: [{ $ref: `#/channels/${name}/messages/request` }],
  reply: {
    channel: { $ref: '#/channels/inbox' },
    messages: [name, 'refusal'].map((message) => ({ $ref: `#/channels/inbox/messages/${message}` })),
  },
});

function usesOf(operation: Operation): string {
  const { owner, errors, takesIdempotencyKey, deprecated } = operation;
  return [
    `Served by \`${owner}\`.`,
    callersOf(operation),
    errors.length > 0 ? `Refusals besides the common ones: ${listed(errors)}.` : '',
    takesIdempotencyKey ? 'The first success is kept for the `idempotencyKey`, and sent again for it.' : '',
    deprecated ? `Deprecated since ${deprecated.since}: it may go on ${deprecated.sunset}.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

const eventChannel = ({ subject, summary, stream, messageId, payload }: Event): Document => ({
  address: subject,
  summary,
  ...(stream !== '' && { description: limitsOf(stream) }),
  messages: {
    event: {
      headers: {
        type: 'object',
        properties: {
          ...(messageId !== undefined && {
            'Nats-Msg-Id': { type: 'string', description: `\`${messageId}\`` },
          }),
          traceparent: { type: 'string', description: 'W3C Trace Context, section 3.2.' },
        },
      },
      payload: describeSchema(payload),
    },
  },
});

const send = (name: string, event: Event) => ({
  action: 'send',
  channel: { $ref: `#/channels/${name}` },
  summary: event.summary,
  description: `${readersOf(event)} ${event.stream === '' ? 'Not stored: who is away misses it.' : 'At least once, in any order.'}`,
  tags: [{ name: event.subject.split('.')[0] }],
  messages: [{ $ref: `#/channels/${name}/messages/event` }],
});

const headerOf = (envelope: Document): Document => ({
  type: 'object',
  required: ['Envelope'],
  properties: {
    Envelope: { type: 'string', contentMediaType: 'application/json', contentSchema: envelope },
  },
});

const users = Object.entries<Party>(parties);
const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function callersOf(operation: Operation): string {
  const callers = users.filter(([, { calls = [] }]) => calls.includes(operation));
  return callers.length > 0 ? `Called by ${listed(callers.map(([caller]) => caller))}.` : '';
}

function readersOf(event: Event): string {
  const readers = users.filter(
    ([, { consumes = [], listens = [], reads = [] }]) =>
      [...consumes.map((one) => one.event), ...listens].includes(event) ||
      reads.some(({ name }) => name === event.stream),
  );
  const senders = users.filter(([, { publishes = [], notifies = [] }]) =>
    [...publishes, ...notifies].includes(event),
  );
  const names = (some: typeof users) => listed(some.map(([name]) => name));
  return `Sent by ${names(senders)}, read by ${names(readers)}.`;
}

function limitsOf(name: string): string {
  const stream = streams.find((one) => one.name === name);
  if (!stream) throw new Error(`There is no stream ${name}.`);
  const { maxAgeMs, maxBytes, duplicateWindowMs } = stream;
  return `Stored in the stream \`${name}\` for ${maxAgeMs / 86_400_000} days and up to ${maxBytes / 1024 ** 2} MiB. A message id that came within ${duplicateWindowMs / 1000} s is dropped.`;
}
