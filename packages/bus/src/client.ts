import {
  type Event,
  inboxPrefixOf,
  type Operation,
  type ParamsOf,
  type PayloadOf,
  type ReplyOf,
} from '@joblisting/contracts';
import { connect, type ConnectionOptions, Events } from 'nats';
import { accessOptions, type BusAccess, refusalOf } from './access.ts';
import {
  consume,
  type ConsumeOptions,
  type ConsumerState,
  consumerState,
  type Consuming,
} from './consumer.ts';
import { createDenials, type Denial } from './denials.ts';
import { type CallContext, jsonBytes, type RawReply, type ReplyMeta } from './envelope.ts';
import { createEvents } from './events.ts';
import { type BusObserver, noObserver } from './observer.ts';
import { createRequester } from './requester.ts';
import { closeSilentAttempts } from './silent-servers.ts';
import { createStreamReader } from './stream-reader.ts';
import { type Endpoint, serve, type Served, type ServeOptions } from './server.ts';

export interface BusOptions extends BusAccess {
  /** Comma-separated, e.g. `nats://127.0.0.1:4222`. */
  readonly url: string;
  /** Names the connection on the server. */
  readonly name: string;
  /** Prefix of the subjects of replies: by default `_INBOX_<user>`, or `_INBOX_<name>` without a user. */
  readonly inboxPrefix?: string | undefined;
  /** The most requests that wait for a reply at once. */
  readonly maxPending?: number | undefined;
  /**
   * How many servers of a cluster keep each stream; without it, an existing stream stays as it is, and a new one has 1.
   */
  readonly streamReplicas?: number | undefined;
  /** How long to keep trying to reach the server at first, in milliseconds. */
  readonly connectTimeoutMs?: number | undefined;
  /** Called with what the server denies this connection: for each subject at most once a minute. */
  readonly onDenied?: ((denial: Denial) => void) | undefined;
  /** Called with the error of a `listen` callback, and the event's subject. */
  readonly onListenerError?: ((error: unknown, subject: string) => void) | undefined;
  readonly observer?: BusObserver | undefined;
}

/** A reply with its data parsed. */
export interface Reply<O extends Operation> extends ReplyMeta {
  readonly data: ReplyOf<O>;
}

/** A call to another service. `body` is the operation's JSON document, as a value. */
export interface Call<O extends Operation> {
  readonly params?: ParamsOf<O>;
  readonly body?: unknown;
  readonly context: CallContext;
}

export type Bus = Awaited<ReturnType<typeof connectBus>>;

const CONNECT_TIMEOUT_MS = 5000;
/**
 * The part of the time-out after which a connection to a silent server is closed, before the client itself gives up.
 */
const SILENCE_LIMIT = 0.8;

const NOTHING = new Uint8Array();
const decoder = new TextDecoder();

/**
 * Connects to NATS and keeps the connection up: it never gives up, and notices a silent server within 3 s. Rejects if
 * no server answers within `connectTimeoutMs`, with BusRefused if one answers and rejects this access.
 */
export async function connectBus(options: BusOptions) {
  const inboxPrefix = options.inboxPrefix ?? inboxPrefixOf(options.user ?? options.name);
  const servers = options.url.split(',').map((server) => server.trim());
  const timeout = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const endWatch = closeSilentAttempts(servers, timeout * SILENCE_LIMIT);
  const connecting = connect({ ...connectionOptions(options), servers, timeout, inboxPrefix });
  const connection = await connecting.catch((error: unknown) => {
    endWatch();
    throw refusalOf(error, options);
  });
  const { observer = noObserver, maxPending = 4096, streamReplicas } = options;
  const consumers: { readonly event: Event; readonly durable: string }[] = [];
  let connected = true;
  const isConnected = () => connected && !connection.isClosed();
  const requester = createRequester(connection, { maxPending, inboxPrefix, isConnected, observer });
  const events = createEvents(connection, { requester, observer, streamReplicas });
  const denials = createDenials(options.onDenied ?? (() => undefined));

  const onDisconnect = () => {
    connected = false;
    requester.connectionLost();
  };
  const watchStatus = async () => {
    for await (const status of connection.status()) {
      const denial = denials.note(status);
      if (denial?.operation === 'publish') requester.publishDenied(denial.subject);
      if (status.type === Events.Disconnect) onDisconnect();
      if (status.type === Events.Reconnect) {
        connected = true;
        observer.reconnected();
      }
    }
  };
  void watchStatus();
  void connection.closed().then(onDisconnect).finally(endWatch);

  return {
    /** Requests with bytes: neither the body nor the reply is parsed. Rejects as the requester documents. */
    forward: (
      operation: Operation,
      params: unknown,
      body: Uint8Array | undefined,
      context: CallContext,
    ): Promise<RawReply> => requester.request(operation, params, body ?? NOTHING, context),

    /** Requests an operation of another service and parses the reply. Rejects as the requester documents. */
    request: async <O extends Operation>(operation: O, call: Call<O>): Promise<Reply<O>> => {
      const body = call.body === undefined ? NOTHING : jsonBytes(call.body);
      const reply = await requester.request(operation, call.params ?? {}, body, call.context);
      const data = reply.data.length > 0 ? JSON.parse(decoder.decode(reply.data)) : undefined;
      return { ...reply, data: data as ReplyOf<O> };
    },

    serve: (endpoints: readonly Endpoint[], serveOptions: ServeOptions): Promise<Served> =>
      serve(connection, endpoints, serveOptions, observer),

    ...events,

    ...createStreamReader(connection),

    consume: <E extends Event>(event: E, consumeOptions: ConsumeOptions<E>): Consuming => {
      consumers.push({ event, durable: consumeOptions.durable });
      return consume(connection, event, consumeOptions, observer);
    },

    /** How far each consumer of this connection is behind. Rejects if the server does not answer. */
    consumerStates: (): Promise<ConsumerState[]> =>
      Promise.all(consumers.map(({ event, durable }) => consumerState(connection, event, durable))),

    /** Requests that wait for a reply now. */
    pending: requester.pendingCount,

    /** Publishes to the current listeners. Lost without a listener or a connection, so only for hints. */
    notify: <E extends Event>(event: E, payload: PayloadOf<E>): void => {
      if (isConnected()) connection.publish(event.subject, jsonBytes(payload));
    },

    /** Calls `onEvent` for every `notify` of the event. Messages that are not JSON are ignored; an error goes to `onListenerError`. */
    listen: <E extends Event>(event: E, onEvent: (payload: PayloadOf<E>) => void): void => {
      connection.subscribe(event.subject, {
        // It must not throw: that would end the client's reader, and with it the connection.
        callback: (_error, message) => {
          let payload: PayloadOf<E>;
          try {
            payload = message.json<PayloadOf<E>>();
          } catch {
            return;
          }
          try {
            onEvent(payload);
          } catch (error) {
            options.onListenerError?.(error, event.subject);
          }
        },
      });
    },

    isConnected,
    /** Subjects whose subscription the server denies. Lasts until the process restarts. */
    deniedSubscriptions: denials.subscriptions,
    /** Resolves when the server has everything that was sent before. */
    flush: (): Promise<void> => connection.flush(),
    /** Resolves when the connection is closed for good, with the error that closed it, if one did. */
    closed: () => connection.closed(),
    close: () => connection.close(),
  };
}

function connectionOptions(options: BusOptions): ConnectionOptions {
  return {
    ...accessOptions(options),
    name: options.name,
    maxReconnectAttempts: -1,
    // While a password is changed, the server and the file differ for a moment.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 250,
    pingInterval: 1000,
    maxPingOut: 2,
  };
}
