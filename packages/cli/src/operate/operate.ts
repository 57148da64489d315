import { Command } from 'commander';
import { escapeControls, print, type Terminal } from '../terminal.ts';
import { onBus } from './bus.ts';
import type { Request } from './bus.ts';

export interface OperatorFlags {
  readonly nats?: string;
  readonly json?: boolean;
}

/** Makes an operator command with the common options. */
export function operatorCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option(
      '--nats <url>',
      'address of the bus (or NATS_URL; default: the system that npm start runs); credentials: NATS_USER and NATS_PASSWORD_FILE',
    )
    .option('--json', 'print the result as JSON');
}

/** Runs one request on the bus and prints its result as JSON or text. */
export async function operate<T>(
  terminal: Terminal,
  flags: OperatorFlags,
  work: (request: Request) => Promise<T>,
  text: (result: T) => string,
): Promise<void> {
  const result = await onBus(terminal, flags.nats, work);
  print(terminal.stdout, `${flags.json === true ? JSON.stringify(result) : text(result)}\n`);
}

/** Formats rows as text columns under headings. */
export function table(headings: readonly string[], data: readonly (readonly string[])[]): string {
  const rows = data.map((row) => row.map(escapeControls));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [headings, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
