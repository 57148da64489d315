import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { accessFrom, connectBus } from '@joblisting/bus';
import type { Bus, BusAccess } from '@joblisting/bus';
import { isNotExecuted, ServiceError } from '@joblisting/contracts';
import type { Operation, ParamsOf, ReplyOf } from '@joblisting/contracts';
import { property } from '../values.ts';
import { readDataFile } from '../settings.ts';
import { type Terminal, UsageError } from '../terminal.ts';

const CONNECT_LIMIT_MS = 3000;
const REPLY_LIMIT_MS = 5000;

/** Sends a request to the owner of an operation. Rejects with its ServiceError or an OwnerUnavailableError. */
export type Request = <O extends Operation>(
  operation: O,
  params: ParamsOf<O>,
  body?: unknown,
) => Promise<ReplyOf<O>>;

/** No bus server answers at the address. */
export class BusUnavailableError extends Error {
  override readonly name = 'BusUnavailableError';
}

/** The owner of an operation did not execute it, or did not answer in time. */
export class OwnerUnavailableError extends Error {
  override readonly name = 'OwnerUnavailableError';
}

/**
 * Connects to the bus of `--nats`, NATS_URL or the system that `npm start` runs, runs one command, and closes the
 * connection.
 */
export async function onBus<T>(
  terminal: Terminal,
  nats: string | undefined,
  run: (request: Request) => Promise<T>,
) {
  const givenUrl = nats || terminal.environment['NATS_URL'];
  const access = givenUrl ? { url: givenUrl, ...accessFrom(terminal.environment) } : runningNats(terminal);
  if (access === undefined)
    throw new UsageError(
      `The address of the bus is missing. Give --nats or NATS_URL, or run npm start, which writes ${runFile(terminal)}.`,
    );
  const bus = await connectBus({
    ...access,
    name: 'operator',
    connectTimeoutMs: CONNECT_LIMIT_MS,
  }).catch((cause: unknown) => {
    throw new BusUnavailableError(`${access.url}: ${String(property(cause, 'message') ?? cause)}`, { cause });
  });
  try {
    return await run(requesterOf(bus));
  } finally {
    await bus.close();
  }
}

function requesterOf(bus: Bus): Request {
  return async (operation, params, body) => {
    const context = { requestId: randomUUID(), deadline: Date.now() + REPLY_LIMIT_MS };
    const reply = await bus.request(operation, { params, body, context }).catch((failure: unknown) => {
      throw toOwnerError(failure, operation.owner);
    });
    return reply.data;
  };
}

/** Explains 503 (not executed) and 504 (unknown outcome) to the operator. */
function toOwnerError(failure: unknown, owner: string): unknown {
  if (failure instanceof ServiceError && failure.code === 'deadline_exceeded')
    return new OwnerUnavailableError(
      `${owner} did not answer in time, so the outcome is unknown. Check the result before you try again.`,
      { cause: failure },
    );
  if (isNotExecuted(failure))
    return new OwnerUnavailableError(
      `${owner} is unavailable or overloaded and did nothing. Check that it runs, then try again.`,
      {
        cause: failure,
      },
    );
  return failure;
}

const RUN_FILE = 'run.json';

function runFile(terminal: Terminal): string {
  return join(terminal.dataDirectory, RUN_FILE);
}

/** The bus of the system that `npm start` runs, with the operator's credentials. */
function runningNats(terminal: Terminal): ({ url: string } & BusAccess) | undefined {
  const nats = property(readDataFile(terminal.dataDirectory, RUN_FILE), 'nats');
  const url = property(nats, 'url');
  if (typeof url !== 'string') return undefined;
  const [user, passwordFile] = [property(nats, 'user'), property(nats, 'passwordFile')];
  const hasCredentials = typeof user === 'string' && typeof passwordFile === 'string';
  return { url, ...(hasCredentials ? { user, passwordFile } : accessFrom(terminal.environment)) };
}
