import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { onBus } from './bus.ts';
import type { Ask } from './bus.ts';

export interface OperatorFlags {
  readonly nats?: string;
  readonly json?: boolean;
}

/** An operator command with the options that all of them have. */
export function operatorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option(
      '--nats <url>',
      'the bus (or NATS_URL; default: that of the system that npm start runs); NATS_USER and NATS_PASSWORD_FILE if it wants them',
    )
    .option('--json', 'print the answer as JSON');
}

/** Runs the work on the bus and prints its result, as JSON or as text for a reader. */
export async function operate<T>(
  terminal: Terminal,
  flags: OperatorFlags,
  work: (ask: Ask) => Promise<T>,
  text: (result: T) => string,
): Promise<void> {
  const result = await onBus(terminal, flags.nats, work);
  terminal.stdout.write(`${flags.json === true ? JSON.stringify(result) : text(result)}\n`);
}
