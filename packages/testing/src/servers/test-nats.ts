/** A nats-server of its own for one suite, with JetStream in a directory that goes when it stops. */
export type TestNats = {
  /** `nats://127.0.0.1:<port>`; the port stays the same over a restart. */
  readonly url: string;
  /** Ends the server and removes its data. */
  stop: () => Promise<void>;
  /** `kill -9`; the data stays for `restart`. */
  kill: () => Promise<void>;
  /** Freezes the server: connections stay open and nothing answers. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** Starts it again on the same port and data, after a kill where it still runs. */
  restart: () => Promise<void>;
};

/** Messages of 8 MiB: the largest job body, its envelope and its headers fit. */
export const maxPayloadBytes = 8 * 1024 * 1024;
