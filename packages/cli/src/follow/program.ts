import { JobListingError } from '@joblisting/client';
import { Command } from 'commander';
import { connect } from '../import/client.ts';
import { readDataFile, resolveTarget, type TargetFlags } from '../settings.ts';
import { exitCodes, print, type Terminal } from '../terminal.ts';
import { withTarget } from './target.ts';

interface FollowFlags extends TargetFlags {
  readonly after?: string;
}

const HELP = `
Prints one event a line, as JSON, and then each new one as it comes, until Ctrl-C. Without --after, it begins at the oldest
event that is kept. On standard error it says, at its end, with which --after to go on.

Examples:
  events follow
  events follow --company 2 --base-url https://jobs.example.com/v1.0 >> events.ndjson`;

/** Calls `done` with the exit code. */
export function eventsProgram(terminal: Terminal, done: (exitCode: number) => void): Command {
  const described = new Command('follow').description(
    'Print what happens to the jobs, applications and categories of a company',
  );
  const follow = withTarget(described, 'events:read')
    .option('--after <cursor>', 'where to go on')
    .addHelpText('after', HELP)
    .action(async (flags: FollowFlags) => done(await followEvents(flags, terminal)));
  return new Command('events').description('Follow the change log').addCommand(follow);
}

/** Nobody can go on after this cursor. */
const hasExpired = (error: unknown): boolean => error instanceof JobListingError && error.status === 410;

/** Prints events until it is interrupted. Rejects with the errors of the client. */
async function followEvents(flags: FollowFlags, terminal: Terminal): Promise<number> {
  const demo = readDataFile(terminal.dataDirectory, 'demo.json');
  const { target, companyId } = resolveTarget(flags, terminal.environment, demo);
  const stop = new AbortController();
  const stopListening = terminal.onInterrupt(() => stop.abort());
  let { after } = flags;
  try {
    const query = { 'company.id': companyId, limit: 1000, ...(after !== undefined && { after }) };
    for await (const { data, paging } of connect(target).events.follow(query, { signal: stop.signal })) {
      print(terminal.stdout, data.map((event) => `${JSON.stringify(event)}\n`).join(''));
      after = paging.next;
    }
  } catch (error) {
    if (hasExpired(error)) after = undefined;
    if (!stop.signal.aborted) throw error;
  } finally {
    stopListening();
    if (after !== undefined) print(terminal.stderr, `Go on with --after ${after}\n`);
  }
  return exitCodes.interrupted;
}
