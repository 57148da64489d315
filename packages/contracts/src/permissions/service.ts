import type { Event, Operation, Stream } from '../operation.ts';

/** What a bus user does besides serving its own operations. */
export interface Party {
  /** Operations of other services. */
  readonly calls?: readonly Operation[];
  /** Events that it publishes to a stream. */
  readonly publishes?: readonly Event[];
  /** Events that it reads from a stream with these durable consumers. */
  readonly consumes?: readonly { readonly event: Event; readonly durable: string }[];
  /** Streams that it reads by itself, from a position of its own. */
  readonly reads?: readonly Stream[];
  /** Events whose last message it reads from the stream. */
  readonly readsLast?: readonly Event[];
  /** Events without a stream that it sends. */
  readonly notifies?: readonly Event[];
  /** Events without a stream that it receives. */
  readonly listens?: readonly Event[];
  /** Creates the streams and updates their limits. */
  readonly managesStreams?: boolean;
}

/** A service's deployment, and its use of the bus. */
export interface Service extends Party {
  /** One line for the README. */
  readonly does: string;
  /** The module of its contracts. */
  readonly contract: object;
  /** Owns the MongoDB database and user of its name, and has a prepare step. */
  readonly hasDatabase?: boolean;
  /** Serves clients over HTTP on this host port. The setting changes the port. */
  readonly http?: { readonly hostPort: number; readonly setting: string };
  /** Uses the HTTP API through the gateway. */
  readonly callsGateway?: boolean;
  /** Calls hosts outside of the system. */
  readonly reachesOutside?: boolean;
  /** Settings with public addresses that it needs. */
  readonly addresses?: readonly ('PUBLIC_URL' | 'SEARCH_URL')[];
  /** Its own settings in containers. Compose may take a value from the environment: `${CLAMD_URL:-}`. */
  readonly settings?: {
    readonly compose?: Readonly<Record<string, string>>;
    readonly kubernetes?: Readonly<Record<string, string>>;
    /** Settings from Secrets of Kubernetes that need not exist, and the component that uses them, if any. */
    readonly secrets?: Readonly<
      Record<string, { readonly name: string; readonly key: string; readonly component?: string }>
    >;
  };
  /** Bounds of its autoscaler. Equal bounds mean no autoscaler. */
  readonly replicas: { readonly least: number; readonly most: number };
  /** Kubernetes resource requests of one replica. */
  readonly requests: { readonly cpu: string; readonly memory: string };
}
