import { INT32_MAX } from '@joblisting/contracts';
import type { Command } from 'commander';
import { integer } from '../arguments.ts';

/** Adds the options that say which API, with which keys, for which company (`TargetFlags`). */
export const withTarget = (command: Command, scope: string): Command =>
  command
    .option('--company <id>', 'company (default: the first of the running demo)', integer(1, INT32_MAX))
    .option('--base-url <url>', 'address of the API (or JOBS_BASE_URL)')
    .option('--consumer-key <key>', `Consumer-API-Key with the scope ${scope} (or JOBS_CONSUMER_KEY)`)
    .option('--user-key <key>', 'User-API-Key (or JOBS_USER_KEY)');
