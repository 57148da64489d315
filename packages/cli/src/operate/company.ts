import {
  createCompany,
  deleteCompany,
  INT32_MAX,
  listCompanies,
  renameCompany,
  RETENTION_DAYS_MAX,
  setRetention,
} from '@joblisting/contracts';
import type { Company, ReplyOf } from '@joblisting/contracts';
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

const companyId = integer(1, INT32_MAX);

function deletedText({ id, revokedKeyIds, narrowedKeyIds }: ReplyOf<typeof deleteCompany>): string {
  const sentences = [`Company ${id} is deleted.`];
  if (revokedKeyIds.length > 0) sentences.push(`Revoked keys: ${revokedKeyIds.join(', ')}.`);
  if (narrowedKeyIds.length > 0) sentences.push(`Keys that lost it: ${narrowedKeyIds.join(', ')}.`);
  if (sentences.length === 1) sentences.push('It had no keys.');
  return (
    `${sentences.join(' ')}\n` +
    'If it is listed again in a minute, a job was created meanwhile; issue its keys anew then.'
  );
}

const renameCommand = (terminal: Terminal): Command =>
  operatorCommand('rename', 'Give a company another name; its jobs show it within seconds')
    .argument('<id>', 'the company', companyId)
    .argument('<name>', 'at most 256 characters')
    .action((id: number, name: string, flags: OperatorFlags) =>
      operate(
        terminal,
        flags,
        (request) => request(renameCompany, { id }, { name }),
        (company) => companiesText([company]),
      ),
    );

const deleteCommand = (terminal: Terminal): Command =>
  operatorCommand('delete', 'Delete a company without jobs and applications; revokes its keys')
    .argument('<id>', 'the company', companyId)
    .action((id: number, flags: OperatorFlags) =>
      operate(terminal, flags, (request) => request(deleteCompany, { id }), deletedText),
    );

const retentionCommand = (terminal: Terminal): Command =>
  operatorCommand('retention', 'Set for how many days the applications to a company are kept, then erased')
    .argument('<id>', 'the company', companyId)
    .argument(
      '<days>',
      `1 to ${RETENTION_DAYS_MAX}, or default: as APPLICATION_RETENTION_DAYS says`,
      retentionDays,
    )
    .action((id: number, days: number | null, flags: OperatorFlags) =>
      operate(
        terminal,
        flags,
        (request) => request(setRetention, {}, { companyId: id, days }),
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
    .addCommand(renameCommand(terminal))
    .addCommand(deleteCommand(terminal))
    .addCommand(retentionCommand(terminal));
}
