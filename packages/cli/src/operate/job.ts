import { INT32_MAX, recountJobs } from '@joblisting/contracts';
import { Command } from 'commander';
import { integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { operate, operatorCommand } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

interface RecountFlags extends OperatorFlags {
  readonly company: number;
}

export function jobProgram(terminal: Terminal): Command {
  return new Command('job').description('Jobs').addCommand(
    operatorCommand('recount', "Recount a company's jobs after direct changes in the database")
      .requiredOption('--company <id>', 'the company', integer(1, INT32_MAX))
      .action((flags: RecountFlags) =>
        operate(
          terminal,
          flags,
          (request) => request(recountJobs, {}, { companyId: flags.company }),
          ({ corrected }) =>
            corrected ? 'The totals were wrong and are now corrected.' : 'The totals were correct.',
        ),
      ),
  );
}
