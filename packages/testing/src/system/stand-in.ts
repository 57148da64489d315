import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, type Endpoint } from '@joblisting/bus';
import { deadlineExceeded, type Operation, type ServiceError } from '@joblisting/contracts';
import { createLog, endpoint, type Handler, type Request } from '@joblisting/service-kit';

const log = createLog('stand-in', 'silent');

/** The error that a stand-in answers, or `silent` for no answer before the deadline. */
export type Fault = ServiceError | 'silent';

/** Stands in for an operation of another service, by its contract alone. */
export interface StandIn<O extends Operation = Operation> {
  readonly operation: O;
  readonly endpoint: Endpoint;
  /** Every request, in order of arrival. */
  readonly requests: readonly Request<O>[];
  /** Runs first; may wait or throw. */
  before: (() => Promise<void>) | undefined;
  /** Replaces the handler's answer. */
  fault: Fault | undefined;
}

export function standIn<O extends Operation>(operation: O, handler: Handler<O>): StandIn<O> {
  const requests: Request<O>[] = [];
  const handle: Handler<O> = async (request) => {
    requests.push(request);
    await self.before?.();
    if (self.fault === 'silent') await pastDeadline(request);
    if (self.fault instanceof Error) throw self.fault;
    return handler(request);
  };
  const self: StandIn<O> = {
    operation,
    endpoint: endpoint(operation, handle, log),
    requests,
    before: undefined,
    fault: undefined,
  };
  return self;
}

/** Ends after the deadline: a request without end would keep its stand-in on the bus. */
async function pastDeadline({ context }: Pick<Request<Operation>, 'context'>): Promise<never> {
  await delay(Math.max(0, context.deadline - Date.now()) + 100);
  throw deadlineExceeded();
}

/** The stand-ins of one service, which can leave the bus and rejoin it. */
export interface ServedStandIns {
  readonly leave: () => Promise<void>;
  readonly join: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves stand-ins under the name of a service, on a connection of their own. */
export async function serveStandIns(
  natsUrl: string,
  name: string,
  standIns: readonly Pick<StandIn, 'endpoint'>[],
): Promise<ServedStandIns> {
  const bus = await connectBus({ url: natsUrl, name });
  const options = { name, version: '1.0.0', description: `Stands in for ${name}`, maxInFlight: 1000 };
  const endpoints = standIns.map((one) => one.endpoint);
  let served: { stop: () => Promise<void> } | undefined;
  const leave = async (): Promise<void> => {
    const serving = served;
    served = undefined;
    await serving?.stop();
  };
  const join = async (): Promise<void> => {
    served = await bus.serve(endpoints, { ...options, onError: () => undefined });
  };
  const close = async (): Promise<void> => {
    await leave();
    await bus.close();
  };
  await join();
  return { leave, join, close };
}
