import { resolve } from 'node:path';
import { exitCodes } from './exit-codes.ts';
import type { Environment } from './settings.ts';

/** The world around a command. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** Someone is watching: a progress bar makes sense. */
  readonly interactive: boolean;
  readonly environment: Environment;
  /** Where `npm start` keeps its data. */
  readonly dataDirectory: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls back on the first Ctrl-C; a second one ends the process at once. Returns how to stop watching. */
  readonly onInterrupt: (callback: () => void) => () => void;
}

/** npm passes a Ctrl-C on that the terminal has already sent here: within this time it is the same one. */
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
    stdout: process.stdout,
    stderr: process.stderr,
    interactive: process.stderr.isTTY,
    environment: process.env,
    dataDirectory: resolve(PROJECT_ROOT, process.env['DATA_DIR'] ?? '.data'),
    now: Date.now,
    onInterrupt,
  };
}
