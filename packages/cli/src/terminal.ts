import { resolve } from 'node:path';

/** How a command ends. `incomplete`: the command failed, or some postings were refused. */
export const exitCodes = { done: 0, incomplete: 1, usage: 2, interrupted: 130 } as const;

/** A mistake in the command line or its input: one line of output, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that a command uses of its process. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** A person watches, so show a progress bar. */
  readonly interactive: boolean;
  readonly environment: Environment;
  /** Where `npm start` keeps its data. */
  readonly dataDirectory: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Calls back on the first Ctrl-C; a second one ends the process. Returns a function that stops listening. */
  readonly onInterrupt: (callback: () => void) => () => void;
}

/** Shows control characters as JSON escapes: in data they could steer the terminal or forge lines. */
export const escapeControls = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Prints lines. Data that must stay on one line goes through `escapeControls` before. */
export const print = (stream: NodeJS.WritableStream, lines: string): void =>
  void stream.write(lines.split('\n').map(escapeControls).join('\n'));

/** npm repeats a Ctrl-C that the terminal has already sent. Within this time it counts as the same. */
const SAME_INTERRUPT_MS = 1000;
const PROJECT_ROOT = resolve(import.meta.dirname, '../../..');

function onInterrupt(callback: () => void): () => void {
  let interruptedAt: number | undefined;
  const listener = (): void => {
    const now = performance.now();
    if (interruptedAt !== undefined && now - interruptedAt > SAME_INTERRUPT_MS)
      process.exit(exitCodes.interrupted);
    interruptedAt ??= now;
    callback();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    interactive: process.stderr.isTTY,
    environment: process.env,
    dataDirectory: resolve(PROJECT_ROOT, process.env['DATA_DIR'] ?? '.data'),
    now: Date.now,
    onInterrupt,
  };
}
