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
    operatorCommand('recount', "Count a company's jobs anew, after they were changed in the database itself")
      .requiredOption('--company <id>', 'the company', integer(1, INT32_MAX))
      .action((flags: RecountFlags) =>
        operate(
          terminal,
          flags,
          (ask) => ask(recountJobs, {}, { companyId: flags.company }),
          ({ corrected }) =>
            corrected ? 'The totals were wrong. They are right now.' : 'The totals are right.',
        ),
      ),
  );
}
