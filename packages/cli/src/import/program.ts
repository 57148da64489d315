import { INT32_MAX } from '@joblisting/contracts';
import { Command, Option } from 'commander';
import { calendarDate, integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { importCommand } from './command.ts';
import type { ImportFlags } from './command.ts';

const MAX_CONNECTIONS = 256;
/** As many as the API takes. */
const MAX_EXPECTED = 10_000_000;

const EXAMPLES = `
Omitted options default to the running demo. You can repeat an import: it creates nothing twice.

A file for --employer-map is a JSON object; null sends no employer, so that it is the company:
  {"Department of Extraordinarily Long Names of the City": "Department of Names", "Acme Ltd": null}

Examples:
  curl https://careers.example.com/jobs.ndjson | npm run -s cli -- import - --company 2
  import jobpostings.ndjson.gz --as-of 2020-11-15 --repair
  import all-jobs.ndjson --company 2 --sync --missing delete
  import kitchen.ndjson --company 2 --sync --scope kitchen- --expected-count 250
  import listings.json --company 2 --base-url https://jobs.example.com/v1.0`;

/** Calls `done` with the exit code. */
export function importProgram(terminal: Terminal, done: (exitCode: number) => void): Command {
  return new Command('import')
    .description('Import schema.org JobPostings (JSON lines) or a listings file (JSON array), plain or gzip')
    .argument('<file>', 'the file to read; - reads standard input')
    .option(
      '--company <id>',
      'company to import for (default: the first of the running demo)',
      integer(1, INT32_MAX),
    )
    .addOption(
      new Option('--format <format>', 'format of the postings (default: detected)').choices([
        'jobposting',
        'listings',
      ]),
    )
    .option('--as-of <date>', 'move all dates so that this one falls on today', calendarDate)
    .option(
      '--employer-map <file>',
      'JSON file with names of employers to replace, such as those over 50 characters',
    )
    .option('--repair', 'replace HTML that the API refuses, and report the changes')
    .option('--dry-run', 'let the API judge every posting, write nothing')
    .option('--sync', 'close the jobs that the file does not have')
    .option('--scope <prefix>', 'with --sync: only the jobs whose referenceId begins with it')
    .option(
      '--expected-count <n>',
      'with --sync: close nothing unless the file has so many postings (default: as many as it has)',
      integer(0, MAX_EXPECTED),
    )
    .addOption(
      new Option('--missing <what>', 'with --sync: what becomes of these jobs (default: close)').choices([
        'close',
        'delete',
        'keep',
      ]),
    )
    .option(
      '--max-missing-percent <n>',
      'with --sync: do nothing to them if there are more (default: 20)',
      integer(0, 100),
    )
    .option('--concurrency <n>', 'maximum number of concurrent postings', integer(1, MAX_CONNECTIONS), 16)
    .option('--base-url <url>', 'address of the API (or JOBS_BASE_URL)')
    .option('--consumer-key <key>', 'Consumer-API-Key (or JOBS_CONSUMER_KEY)')
    .option('--user-key <key>', 'User-API-Key (or JOBS_USER_KEY)')
    .option('--refused <file>', 'file for refused postings (default: <name>.refused.ndjson)')
    .option('--repaired <file>', 'file for repairs (default: <name>.repaired.ndjson)')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ImportFlags) => done(await importCommand(file, flags, terminal)));
}
