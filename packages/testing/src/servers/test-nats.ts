/** A nats-server for one suite, with JetStream. */
export type TestNats = {
  /** `nats://127.0.0.1:<port>`; a restart keeps the port. */
  readonly url: string;
  /** Ends the server and deletes its data. */
  stop: () => Promise<void>;
  /** `kill -9`; the data stays for `restart`. */
  kill: () => Promise<void>;
  /** Freezes the server: connections stay open and get no answer. */
  pause: () => Promise<void>;
  resume: () => Promise<void>;
  /** Kills it if it runs, and starts it on the same port and data. */
  restart: () => Promise<void>;
};

/** Room for the largest job body with its envelope and headers. */
export const MAX_PAYLOAD_BYTES = 8 * 1024 * 1024;

/** Configuration on top of what every nats-server of a test has. */
export interface NatsSettings {
  /** More lines of configuration, given the directory of `files`. */
  readonly lines: (directory: string) => string;
  /** The contents of the files that these lines name, by file name. */
  readonly files?: Readonly<Record<string, string>>;
}
