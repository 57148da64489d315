import { randomUUID } from 'node:crypto';
import { connectBus } from '@joblisting/bus';
import type { Bus } from '@joblisting/bus';
import type { Operation, ParamsOf, ReplyOf } from '@joblisting/contracts';
import { property } from '../postings/json.ts';
import { readDataFile } from '../settings.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const CONNECT_LIMIT_MS = 3000;
const REPLY_LIMIT_MS = 5000;

/** Asks the owner of an operation. Rejects with its ServiceError. */
export type Ask = <O extends Operation>(
  operation: O,
  params: ParamsOf<O>,
  body?: unknown,
) => Promise<ReplyOf<O>>;

/** The bus has no server at the address. */
export class BusAway extends Error {
  override readonly name = 'BusAway';
}

/**
 * Runs one operator command on the bus: that of `--nats`, of NATS_URL, or of the system that `npm start` runs.
 * The connection is closed again, whatever comes of it.
 */
export async function onBus<T>(terminal: Terminal, nats: string | undefined, run: (ask: Ask) => Promise<T>) {
  const url = nats ?? (terminal.environment['NATS_URL'] || runningNats(terminal));
  if (url === undefined)
    throw new UsageError('Nothing says where the bus is: neither --nats, nor NATS_URL, nor .data/run.json.');
  const bus = await connectBus({
    url,
    name: 'operator',
    user: terminal.environment['NATS_USER'],
    password: terminal.environment['NATS_PASSWORD'],
    connectTimeoutMs: CONNECT_LIMIT_MS,
  }).catch((cause: unknown) => {
    throw new BusAway(`${url}: ${String(property(cause, 'message') ?? cause)}`, { cause });
  });
  try {
    return await run(asking(bus, terminal));
  } finally {
    await bus.close();
  }
}

function asking(bus: Bus, terminal: Terminal): Ask {
  return async (operation, params, body) => {
    const context = { requestId: randomUUID(), deadline: terminal.now() + REPLY_LIMIT_MS };
    const reply = await bus.request(operation, { params, body, context });
    return reply.data;
  };
}

function runningNats(terminal: Terminal): string | undefined {
  const url = property(property(readDataFile(terminal.dataDirectory, 'run.json'), 'nats'), 'url');
  return typeof url === 'string' ? url : undefined;
}
