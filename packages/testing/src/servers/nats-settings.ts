/** What a test's nats-server has besides what all have. */
export interface NatsSettings {
  /** More lines of its configuration, given the directory that `files` are in. */
  readonly lines: (directory: string) => string;
  /** Files that these lines name, with their contents. */
  readonly files?: Readonly<Record<string, string>>;
}

/** @param settings lines, where these are all */
export const natsSettings = (settings: string | NatsSettings): NatsSettings =>
  typeof settings === 'string' ? { lines: () => settings } : settings;
