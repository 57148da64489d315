import { INT32_MAX } from '@joblisting/contracts';
import { Command, Option } from 'commander';
import { calendarDate, integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { importCommand } from './command.ts';
import type { ImportFlags } from './command.ts';

const MOST_CONNECTIONS = 256;

const EXAMPLES = `
What is not said comes from the demo that npm start seeds. An import can be run again: it creates nothing twice.

Examples:
  import jobpostings.ndjson.gz --as-of 2020-11-15 --repair
  import listings.json --company 2 --base-url https://jobs.example.com/v1.0`;

/** `done` takes the exit code of an import that went through. */
export function importProgram(terminal: Terminal, done: (exitCode: number) => void): Command {
  return new Command('import')
    .description('Import schema.org JobPostings (JSON lines) or a listings file (JSON array), plain or gzip')
    .argument('<file>', 'the file to read')
    .option('--company <id>', 'company to import for (default: the first of the demo)', integer(1, INT32_MAX))
    .addOption(
      new Option('--format <format>', 'read every posting as this (default: by its shape)').choices([
        'jobposting',
        'listings',
      ]),
    )
    .option('--as-of <date>', 'move all dates so that this one falls on today', calendarDate)
    .option('--repair', 'map tags that the API refuses to allowed ones, and say what was changed')
    .option('--dry-run', 'map and report, send nothing')
    .option('--concurrency <n>', 'postings under way at a time', integer(1, MOST_CONNECTIONS), 16)
    .option('--base-url <url>', 'address of the API with its version, as in /v1.0 (or JOBS_BASE_URL)')
    .option('--consumer-key <key>', 'Consumer-API-Key (or JOBS_CONSUMER_KEY)')
    .option('--user-key <key>', 'User-API-Key (or JOBS_USER_KEY)')
    .option('--refused <file>', 'where refused postings go (default: <name>.refused.ndjson)')
    .option('--repaired <file>', 'where repairs are listed (default: <name>.repaired.ndjson)')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ImportFlags) => done(await importCommand(file, flags, terminal)));
}
