import type { Client } from '@joblisting/client';
import { INT32_MAX } from '@joblisting/contracts';
import { Command } from 'commander';
import { integer, listOf } from '../arguments.ts';
import { connect } from '../import/client.ts';
import { table } from '../operate/operate.ts';
import { readDataFile, resolveTarget, type TargetFlags } from '../settings.ts';
import { print, type Terminal, UsageError } from '../terminal.ts';
import { withTarget } from './target.ts';

interface WebhookFlags extends TargetFlags {
  readonly json?: boolean;
}
interface CreateFlags extends WebhookFlags {
  readonly types: string[];
  readonly description?: string;
}
interface ReplayFlags extends WebhookFlags {
  readonly after?: string;
  readonly from?: string;
  readonly to?: string;
}

type Webhooks = Awaited<ReturnType<Client['webhooks']['list']>>['data'];
type Attempt = Awaited<ReturnType<Client['webhooks']['test']>>['data'];

const SHOWN_ATTEMPTS = 20;
const webhookId = ['<id>', 'webhook', integer(1, INT32_MAX)] as const;

/** Registers addresses that events are sent to, and looks after them. */
export function webhookProgram(terminal: Terminal): Command {
  const demo = () => readDataFile(terminal.dataDirectory, 'demo.json');

  /** Runs requests of one company and prints the result as JSON or text. Rejects with the errors of the client. */
  const run = async <T>(
    flags: WebhookFlags,
    request: (client: Client, companyId: number) => Promise<T>,
    text: (result: T) => string,
  ): Promise<void> => {
    const { target, companyId } = resolveTarget(flags, terminal.environment, demo());
    const result = await request(connect(target), companyId);
    print(terminal.stdout, `${flags.json === true ? JSON.stringify(result) : text(result)}\n`);
  };
  const command = (name: string, description: string): Command =>
    withTarget(new Command(name).description(description), 'webhooks:write').option(
      '--json',
      'print the result as JSON',
    );

  return new Command('webhook')
    .description('Register addresses that events are sent to')
    .addCommand(
      command('list', 'List the webhooks of a company').action((flags: WebhookFlags) =>
        run(
          flags,
          async (client, id) => (await client.webhooks.list({ 'company.id': id })).data,
          webhookTable,
        ),
      ),
    )
    .addCommand(
      command('create', 'Register an address; prints the secret, which nothing shows again')
        .argument('<url>', 'https address')
        .option('--types <list>', 'types of events, or * for all', listOf(String), ['*'])
        .option('--description <text>', 'for people')
        .action((url: string, flags: CreateFlags) =>
          run(
            flags,
            async (client, id) => (await client.webhooks.create(newWebhook(url, id, flags))).data,
            ({ id, secret }) => `Webhook ${id} is registered. Its secret: ${secret}`,
          ),
        ),
    )
    .addCommand(
      command('test', 'Send a test event now')
        .argument(...webhookId)
        .action((id: number, flags: WebhookFlags) =>
          run(flags, async (client) => (await client.webhooks.test(id)).data, attemptText),
        ),
    )
    .addCommand(
      command('attempts', `Show the last ${SHOWN_ATTEMPTS} attempts`)
        .argument(...webhookId)
        .action((id: number, flags: WebhookFlags) =>
          run(flags, (client) => lastAttempts(client, id), attemptTable),
        ),
    )
    .addCommand(
      command('replay', 'Send events again: those after a cursor, or from a time on')
        .argument(...webhookId)
        .option('--after <cursor>', 'of events follow')
        .option('--from <time>', 'such as 2026-11-25T12:00:00Z')
        .option('--to <time>', 'end of the time (default: now)')
        .action((id: number, flags: ReplayFlags) =>
          run(
            flags,
            async (client) => (await client.webhooks.replay(id, rangeOf(flags))).data,
            ({ events }) => `${events} events are sent again.`,
          ),
        ),
    )
    .addCommand(
      command('rotate', 'Replace the secret; events are signed with the former one as well for a day')
        .argument(...webhookId)
        .action((id: number, flags: WebhookFlags) =>
          run(
            flags,
            async (client) => (await client.webhooks.rotateSecret(id)).data,
            ({ secret }) => `The new secret: ${secret}`,
          ),
        ),
    )
    .addCommand(
      command('delete', 'Delete a webhook')
        .argument(...webhookId)
        .action((id: number, flags: WebhookFlags) =>
          run(
            flags,
            (client) => client.webhooks.delete(id),
            () => `Webhook ${id} is deleted.`,
          ),
        ),
    );
}

async function lastAttempts(client: Client, id: number): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  for await (const attempt of client.webhooks.attempts(id, { pageSize: SHOWN_ATTEMPTS })) {
    attempts.push(attempt);
    if (attempts.length === SHOWN_ATTEMPTS) break;
  }
  return attempts;
}

const newWebhook = (url: string, companyId: number, { types, description }: CreateFlags) =>
  ({
    company: { id: companyId },
    url,
    types,
    ...(description !== undefined && { description }),
  }) as Parameters<Client['webhooks']['create']>[0];

/** Throws `UsageError` for neither a cursor nor a time, or both. */
function rangeOf({ after, from, to }: ReplayFlags): Parameters<Client['webhooks']['replay']>[1] {
  if ((after === undefined) === (from === undefined)) throw new UsageError('Use either --after or --from.');
  if (after !== undefined) return { after };
  return { from: from as string, ...(to !== undefined && { to }) };
}

const webhookTable = (webhooks: Webhooks): string =>
  table(
    ['id', 'state', 'waiting', 'types', 'address'],
    webhooks.map(({ id, state, disabledReason, pending, types, url }) => [
      String(id),
      disabledReason === null ? state : `${state} (${disabledReason})`,
      String(pending),
      types.join(','),
      url,
    ]),
  );

const attemptText = ({ outcome, status, durationMs }: Attempt): string =>
  `${outcome}${status === null ? '' : `, ${status}`}, ${durationMs} ms`;

const attemptTable = (attempts: readonly Attempt[]): string =>
  table(
    ['at', 'event', 'outcome', 'status', 'ms', 'next attempt'],
    attempts.map(({ at, event, outcome, status, durationMs, nextAttemptAt }) => [
      at,
      `${event.type} ${event.id}`,
      outcome,
      String(status ?? ''),
      String(durationMs),
      nextAttemptAt ?? '',
    ]),
  );
