import { ServiceError } from '@joblisting/contracts';
import { Command, CommanderError } from 'commander';
import { Unreachable } from './api/client.ts';
import { ListRefused } from './api/jobs.ts';
import { exitCodes } from './exit-codes.ts';
import { importProgram } from './import/program.ts';
import { BusAway, OwnerAway } from './operate/bus.ts';
import { categoryProgram } from './operate/category.ts';
import { companyProgram } from './operate/company.ts';
import { jobProgram } from './operate/job.ts';
import { keyProgram } from './operate/key.ts';
import { property } from './postings/json.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const EXIT_CODES = `
Exit codes: 0 all done, 1 not all went in or the command was refused, 2 wrong usage, 130 interrupted.
Each command has its own --help, such as: import --help, key issue --help`;

/** Runs one command line and gives the exit code: 0 all done, 1 not all, 2 wrong usage. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = new Command('npm run cli --')
    .description('Import postings into the job listing service, and operate it')
    .addHelpText('after', EXIT_CODES)
    .addCommand(importProgram(terminal, (code) => (exitCode = code)))
    .addCommand(companyProgram(terminal))
    .addCommand(keyProgram(terminal))
    .addCommand(categoryProgram(terminal))
    .addCommand(jobProgram(terminal));
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command
      .exitOverride()
      .showHelpAfterError('(--help says what it takes)')
      .configureOutput({
        writeOut: (text) => void terminal.stdout.write(text),
        writeErr: (text) => void terminal.stderr.write(text),
      });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const message = explain(failure);
    if (message === undefined) throw failure;
    terminal.stderr.write(`error: ${message}\n`);
    return failure instanceof UsageError ? exitCodes.usage : exitCodes.notAll;
  }
}

/** What the user can act on, in a few words. Undefined for a fault of our own. */
function explain(failure: unknown): string | undefined {
  if (failure instanceof UsageError) return failure.message;
  if (failure instanceof Unreachable)
    return `nothing was imported, the API gives no answer: ${failure.message}`;
  if (failure instanceof ListRefused) {
    const remedy =
      failure.refusal.status === 404 ? ' (does --base-url end in the version, as in /v1.0?)' : '';
    return `nothing was imported, the API refuses: ${failure.message}${remedy}`;
  }
  if (failure instanceof BusAway)
    return `the bus gives no answer: ${failure.message}. Is the system running, and is this its address?`;
  if (failure instanceof OwnerAway) return failure.message;
  if (failure instanceof ServiceError)
    return [
      failure.message,
      ...failure.errors.map(({ pointer, detail }) => `  ${pointer ?? ''} ${detail}`),
    ].join('\n');
  if (property(failure, 'syscall') !== undefined) return String(property(failure, 'message'));
  return undefined;
}
