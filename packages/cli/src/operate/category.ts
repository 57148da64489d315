import { addSystemCategory, INT32_MAX } from '@joblisting/contracts';
import { Command } from 'commander';
import { integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { operate, operatorCommand, table } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

interface AddFlags extends OperatorFlags {
  readonly id?: number;
}

export function categoryProgram(terminal: Terminal): Command {
  return new Command('category').description('Job categories').addCommand(
    operatorCommand('add-system', 'Add a category for all companies')
      .argument('<name>', 'at most 50 characters')
      .option('--id <n>', 'its id (default: the next free id)', integer(1, INT32_MAX))
      .action((name: string, flags: AddFlags) =>
        operate(
          terminal,
          flags,
          (request) =>
            request(addSystemCategory, {}, { name, ...(flags.id !== undefined && { id: flags.id }) }),
          (category) => table(['ID', 'NAME'], [[String(category.id), category.name]]),
        ),
      ),
  );
}
