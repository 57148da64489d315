import { INT32_MAX, issueConsumerKey, issueUserKey, MOST_PER_MINUTE, scopes } from '@joblisting/contracts';
import type { IssuedKey, Scope } from '@joblisting/contracts';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { calendarDate, integer, listOf } from '../arguments.ts';
import { utcDate } from '../postings/calendar.ts';
import { type Terminal, UsageError } from '../terminal.ts';
import type { Request } from './bus.ts';
import { issuedText } from './key-text.ts';
import { operate, operatorCommand } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

const EXAMPLES = `
Examples:
  key issue --consumer "Applicant tracking" --scopes jobs:read,jobs:write
  key issue --consumer "Search site" --scopes applications:write
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
  const match = scopes.find((name) => name === text);
  if (match === undefined) throw new InvalidArgumentError(`The scopes are ${scopes.join(', ')}.`);
  return match;
}

export function issueKeyCommand(terminal: Terminal): Command {
  return operatorCommand(
    'issue',
    'Issue a key to a program (--consumer) or to a person or system of a company (--user)',
  )
    .option('--consumer <name>', 'the integrating program')
    .option('--scopes <scopes>', `its permissions, from ${scopes.join(',')}`, listOf(scope))
    .option(
      '--reads-per-minute <n>',
      "its limit of reads (default: the gateway's limit)",
      integer(1, MOST_PER_MINUTE),
    )
    .option(
      '--writes-per-minute <n>',
      "its limit of writes (default: the gateway's limit)",
      integer(1, MOST_PER_MINUTE),
    )
    .option('--user <name>', 'the person or system')
    .option('--companies <ids>', 'the companies that the key grants', listOf(integer(1, INT32_MAX)))
    .option('--expires <date>', 'the key expires at the start of this UTC date', calendarDate)
    .action((flags: IssueFlags) =>
      operate(terminal, flags, issueRequest(flags, terminal.now()), (issued) =>
        issuedText(issued, terminal.now()),
      ),
    )
    .addHelpText('after', EXAMPLES);
}

/** Returns the request for the kind of key that the flags describe. */
function issueRequest(flags: IssueFlags, now: number): (request: Request) => Promise<IssuedKey> {
  const today = utcDate(new Date(now));
  if (flags.expires !== undefined && flags.expires <= today)
    throw new UsageError(`--expires ${flags.expires} must be after today, ${today} (UTC).`);
  const expiry = flags.expires === undefined ? {} : { expiresAt: `${flags.expires}T00:00:00.000Z` };
  const { consumer, user, companies, readsPerMinute, writesPerMinute } = flags;
  if (consumer !== undefined && flags.scopes !== undefined && user === undefined && companies === undefined) {
    const limits = { ...(readsPerMinute && { readsPerMinute }), ...(writesPerMinute && { writesPerMinute }) };
    return (request) =>
      request(issueConsumerKey, {}, { name: consumer, scopes: flags.scopes, ...limits, ...expiry });
  }
  const consumerOnly = [consumer, flags.scopes, readsPerMinute, writesPerMinute];
  if (user !== undefined && companies !== undefined && consumerOnly.every((flag) => flag === undefined))
    return (request) => request(issueUserKey, {}, { name: user, companyIds: companies, ...expiry });
  throw new UsageError('Give either --consumer and --scopes, or --user and --companies.');
}
