import { INT32_MAX, issueConsumerKey, issueUserKey, MOST_PER_MINUTE, scopes } from '@joblisting/contracts';
import type { IssuedKey, Scope } from '@joblisting/contracts';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { calendarDate, integer, listOf } from '../arguments.ts';
import { utcDate } from '../postings/calendar.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import type { Ask } from './bus.ts';
import { issuedText } from './key-text.ts';
import { operate, operatorCommand } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

const EXAMPLES = `
Examples:
  key issue --consumer "Applicant tracking" --scopes jobs:read,jobs:write
  key issue --user "Ann, Acme" --companies 1,2 --expires 2027-01-01`;

interface IssueFlags extends OperatorFlags {
  readonly consumer?: string;
  readonly scopes?: readonly Scope[];
  readonly readsPerMinute?: number;
  readonly writesPerMinute?: number;
  readonly user?: string;
  readonly companies?: readonly number[];
  readonly expires?: string;
}

function scope(text: string): Scope {
  const found = scopes.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`Scopes are ${scopes.join(', ')}.`);
  return found;
}

export function issueKeyCommand(terminal: Terminal): Command {
  return operatorCommand(
    'issue',
    'Issue a key to an application (--consumer) or to someone of a company (--user)',
  )
    .option('--consumer <name>', 'the integrating application')
    .option('--scopes <scopes>', `what it may do, of ${scopes.join(',')}`, listOf(scope))
    .option(
      '--reads-per-minute <n>',
      "its own limit of reads (default: the gateway's)",
      integer(1, MOST_PER_MINUTE),
    )
    .option(
      '--writes-per-minute <n>',
      "its own limit of writes (default: the gateway's)",
      integer(1, MOST_PER_MINUTE),
    )
    .option('--user <name>', 'the person or system')
    .option('--companies <ids>', 'the companies that the key grants', listOf(integer(1, INT32_MAX)))
    .option('--expires <date>', 'refuse the key from the start of this UTC date on', calendarDate)
    .action((flags: IssueFlags) =>
      operate(terminal, flags, issueOf(flags, terminal.now()), (issued) =>
        issuedText(issued, terminal.now()),
      ),
    )
    .addHelpText('after', EXAMPLES);
}

/** The one kind of key that the flags ask for. */
function issueOf(flags: IssueFlags, now: number): (ask: Ask) => Promise<IssuedKey> {
  const today = utcDate(new Date(now));
  if (flags.expires !== undefined && flags.expires <= today)
    throw new UsageError(
      `--expires ${flags.expires}: the key would have expired already, today is ${today} (UTC).`,
    );
  const expiry = flags.expires === undefined ? {} : { expiresAt: `${flags.expires}T00:00:00.000Z` };
  const { consumer, user, companies, readsPerMinute, writesPerMinute } = flags;
  if (consumer !== undefined && flags.scopes !== undefined && user === undefined && companies === undefined) {
    const limits = { ...(readsPerMinute && { readsPerMinute }), ...(writesPerMinute && { writesPerMinute }) };
    return (ask) => ask(issueConsumerKey, {}, { name: consumer, scopes: flags.scopes, ...limits, ...expiry });
  }
  const consumerOnly = [consumer, flags.scopes, readsPerMinute, writesPerMinute];
  if (user !== undefined && companies !== undefined && consumerOnly.every((flag) => flag === undefined))
    return (ask) => ask(issueUserKey, {}, { name: user, companyIds: companies, ...expiry });
  throw new UsageError('Give either --consumer and --scopes, or --user and --companies.');
}
