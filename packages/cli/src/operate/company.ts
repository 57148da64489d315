import { createCompany, listCompanies } from '@joblisting/contracts';
import type { Company } from '@joblisting/contracts';
import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { operate, operatorCommand, table } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

function companiesText(companies: readonly Company[]): string {
  return table(
    ['ID', 'NAME'],
    companies.map(({ id, name }) => [String(id), name]),
  );
}

export function companyProgram(terminal: Terminal): Command {
  return new Command('company')
    .description('Companies whose jobs are listed')
    .addCommand(
      operatorCommand('create', 'Create a company')
        .argument('<name>', 'at most 256 characters')
        .action((name: string, flags: OperatorFlags) =>
          operate(
            terminal,
            flags,
            (request) => request(createCompany, {}, { name }),
            (company) => companiesText([company]),
          ),
        ),
    )
    .addCommand(
      operatorCommand('list', 'List the companies by id').action((flags: OperatorFlags) =>
        operate(terminal, flags, (request) => request(listCompanies, {}), companiesText),
      ),
    );
}
