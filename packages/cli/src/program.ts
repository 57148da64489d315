import { JobListingError } from '@joblisting/client';
import { ServiceError } from '@joblisting/contracts';
import { Command, CommanderError } from 'commander';
import { exitCodes, print, type Terminal, UsageError } from './terminal.ts';
import { eventsProgram } from './follow/program.ts';
import { webhookProgram } from './follow/webhook.ts';
import { importProgram } from './import/program.ts';
import { BusUnavailableError, OwnerUnavailableError } from './operate/bus.ts';
import { categoryProgram } from './operate/category.ts';
import { companyProgram } from './operate/company.ts';
import { jobProgram } from './operate/job.ts';
import { keyProgram } from './operate/key.ts';
import { property } from './values.ts';

const EXIT_CODES = `
Exit codes: 0 done, 1 failed or some postings refused, 2 wrong usage, 130 interrupted.
Each command has its own --help, for example: import --help, key issue --help`;

/** Runs one command line and returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.done;
  const program = new Command('npm run cli --')
    .description('Import postings into the job listing service, follow changes, and operate the service')
    .addHelpText('after', EXIT_CODES)
    .addCommand(importProgram(terminal, (code) => (exitCode = code)))
    .addCommand(eventsProgram(terminal, (code) => (exitCode = code)))
    .addCommand(webhookProgram(terminal))
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
      .showHelpAfterError('(see --help)')
      .configureOutput({
        writeOut: (text) => print(terminal.stdout, text),
        writeErr: (text) => print(terminal.stderr, text),
      });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (failure) {
    if (failure instanceof CommanderError) return failure.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    const message = explain(failure, args[0] === 'import' ? 'Nothing was imported. ' : '');
    if (message === undefined) throw failure;
    print(terminal.stderr, `error: ${message}\n`);
    return failure instanceof UsageError ? exitCodes.usage : exitCodes.incomplete;
  }
}

const remedies = new Map([
  [0, ' Check --base-url, and that the service runs there.'],
  [401, ' Check --consumer-key and --user-key.'],
  [404, ' Check --base-url.'],
]);

/**
 * A message that helps the user, or undefined for a bug.
 * @param outcome what the failure of a request means for the command
 */
function explain(failure: unknown, outcome: string): string | undefined {
  if (failure instanceof UsageError) return failure.message;
  if (failure instanceof JobListingError)
    return `${outcome}${failure.message}${remedies.get(failure.status) ?? ''}`;
  if (failure instanceof BusUnavailableError)
    return `cannot reach the bus: ${failure.message}. Is the system running at this address?`;
  if (failure instanceof OwnerUnavailableError) return failure.message;
  if (failure instanceof ServiceError)
    return [
      failure.message,
      ...failure.errors.map(({ pointer, detail }) => `  ${pointer ?? ''} ${detail}`),
    ].join('\n');
  if (property(failure, 'syscall') !== undefined) return String(property(failure, 'message'));
  return undefined;
}
