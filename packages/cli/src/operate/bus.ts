import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { accessFrom, connectBus } from '@joblisting/bus';
import type { Bus, BusAccess } from '@joblisting/bus';
import { isNotExecuted, ServiceError } from '@joblisting/contracts';
import type { Operation, ParamsOf, ReplyOf } from '@joblisting/contracts';
import { property } from '../postings/json.ts';
import { readDataFile } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const CONNECT_LIMIT_MS = 3000;
const REPLY_LIMIT_MS = 5000;

/** Asks the owner of an operation. Rejects with its refusal as a ServiceError, or with OwnerAway. */
export type Ask = <O extends Operation>(
  operation: O,
  params: ParamsOf<O>,
  body?: unknown,
) => Promise<ReplyOf<O>>;

/** The bus has no server at the address. */
export class BusAway extends Error {
  override readonly name = 'BusAway';
}

/** The owner of an operation did not do it, or did not say so in time. */
export class OwnerAway extends Error {
  override readonly name = 'OwnerAway';
}

/**
 * Runs one operator command on the bus: that of `--nats`, of NATS_URL, or of the system that `npm start` runs.
 * The connection is closed again, whatever comes of it.
 */
export async function onBus<T>(terminal: Terminal, nats: string | undefined, run: (ask: Ask) => Promise<T>) {
  const named = nats || terminal.environment['NATS_URL'];
  const found = named ? { url: named, ...accessFrom(terminal.environment) } : runningNats(terminal);
  if (found === undefined)
    throw new UsageError(
      `Nothing says where the bus is: neither --nats, nor NATS_URL, nor ${runFile(terminal)}, which npm start writes.`,
    );
  const bus = await connectBus({
    ...found,
    name: 'operator',
    connectTimeoutMs: CONNECT_LIMIT_MS,
  }).catch((cause: unknown) => {
    throw new BusAway(`${found.url}: ${String(property(cause, 'message') ?? cause)}`, { cause });
  });
  try {
    return await run(asking(bus));
  } finally {
    await bus.close();
  }
}

function asking(bus: Bus): Ask {
  return async (operation, params, body) => {
    const context = { requestId: randomUUID(), deadline: Date.now() + REPLY_LIMIT_MS };
    const reply = await bus.request(operation, { params, body, context }).catch((failure: unknown) => {
      throw awayOr(failure, operation.owner);
    });
    return reply.data;
  };
}

/** 503 means not executed, 504 that the outcome is unknown: what to do next differs. */
function awayOr(failure: unknown, owner: string): unknown {
  if (failure instanceof ServiceError && failure.code === 'deadline_exceeded')
    return new OwnerAway(
      `${owner} did not answer in time. It may have done what was asked: see what there is before you ask again.`,
      { cause: failure },
    );
  if (isNotExecuted(failure))
    return new OwnerAway(`${owner} did nothing: it is away or too busy. See that it runs, then ask again.`, {
      cause: failure,
    });
  return failure;
}

const RUN_FILE = 'run.json';

function runFile(terminal: Terminal): string {
  return join(terminal.dataDirectory, RUN_FILE);
}

/** The bus of the system that `npm start` runs, which lets in its operator. */
function runningNats(terminal: Terminal): ({ url: string } & BusAccess) | undefined {
  const nats = property(readDataFile(terminal.dataDirectory, RUN_FILE), 'nats');
  const url = property(nats, 'url');
  if (typeof url !== 'string') return undefined;
  const [user, passwordFile] = [property(nats, 'user'), property(nats, 'passwordFile')];
  const isGuarded = typeof user === 'string' && typeof passwordFile === 'string';
  return { url, ...(isGuarded ? { user, passwordFile } : accessFrom(terminal.environment)) };
}
