import {
  createCompany,
  INT32_MAX,
  listCompanies,
  RETENTION_DAYS_MAX,
  setRetention,
} from '@joblisting/contracts';
import type { Company } from '@joblisting/contracts';
import { Command, InvalidArgumentError } from 'commander';
import { integer } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { operate, operatorCommand, table } from './operate.ts';
import type { OperatorFlags } from './operate.ts';

function companiesText(companies: readonly Company[]): string {
  return table(
    ['ID', 'NAME'],
    companies.map(({ id, name }) => [String(id), name]),
  );
}

const wholeDays = integer(1, RETENTION_DAYS_MAX);

/** Days, or null for `default`. */
function retentionDays(text: string): number | null {
  if (text === 'default') return null;
  if (!/^\d+$/u.test(text))
    throw new InvalidArgumentError(`Give days from 1 to ${RETENTION_DAYS_MAX}, or default.`);
  return wholeDays(text);
}

const retentionText = (days: number | null): string =>
  days === null
    ? "Applications are now kept as long as the service's setting says."
    : `Applications are now kept for ${days} days. Older ones are erased within an hour.`;

const retentionCommand = (terminal: Terminal): Command =>
  operatorCommand('retention', 'Set for how many days the applications to a company are kept, then erased')
    .argument('<id>', 'the company', integer(1, INT32_MAX))
    .argument(
      '<days>',
      `1 to ${RETENTION_DAYS_MAX}, or default: as APPLICATION_RETENTION_DAYS says`,
      retentionDays,
    )
    .action((companyId: number, days: number | null, flags: OperatorFlags) =>
      operate(
        terminal,
        flags,
        (request) => request(setRetention, {}, { companyId, days }),
        (retention) => retentionText(retention.days),
      ),
    );

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
    )
    .addCommand(retentionCommand(terminal));
}
