import { setTimeout as delay } from 'node:timers/promises';
import { connectBus, type Endpoint } from '@joblisting/bus';
import { deadlineExceeded, type Operation, type ServiceError } from '@joblisting/contracts';
import { createLog, endpoint, type Handler, type Request } from '@joblisting/service-kit';

const log = createLog('stand-in', 'silent');

/** Stands in for an operation of another service: it takes requests and gives replies by the contract alone. */
export interface StandIn<O extends Operation = Operation> {
  readonly operation: O;
  readonly endpoint: Endpoint;
  /** The requests that arrived, in their order. */
  readonly requests: readonly Request<O>[];
  /** Errors with which requests are refused, or `silent` for no reply before the deadline; undefined: the handler replies. */
  fault: ServiceError | 'silent' | undefined;
}

export function standIn<O extends Operation>(operation: O, handler: Handler<O>): StandIn<O> {
  const requests: Request<O>[] = [];
  const handle: Handler<O> = async (request) => {
    requests.push(request);
    if (self.fault === 'silent') await pastDeadline(request);
    if (self.fault instanceof Error) throw self.fault;
    return handler(request);
  };
  const self: StandIn<O> = {
    operation,
    endpoint: endpoint(operation, handle, log),
    requests,
    fault: undefined,
  };
  return self;
}

/** A request that never ended would keep its stand-in from leaving the bus. */
async function pastDeadline({ context }: Pick<Request<Operation>, 'context'>): Promise<never> {
  await delay(Math.max(0, context.deadline - Date.now()) + 100);
  throw deadlineExceeded();
}

/** The stand-ins of one service, which can leave the bus and come back. */
export interface Served {
  /** From now on nobody serves their operations. */
  readonly leave: () => Promise<void>;
  readonly join: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves the stand-ins of the service `name`. */
export async function serveStandIns(
  natsUrl: string,
  name: string,
  standIns: readonly Pick<StandIn, 'endpoint'>[],
): Promise<Served> {
  const bus = await connectBus({ url: natsUrl, name });
  let served: { stop: () => Promise<void> } | undefined;
  const leave = async (): Promise<void> => {
    await served?.stop();
    served = undefined;
  };
  const join = async (): Promise<void> => {
    served = await bus.serve(
      standIns.map((one) => one.endpoint),
      {
        name,
        version: '1.0.0',
        description: `Stands in for ${name}`,
        maxInFlight: 256,
        onError: () => undefined,
      },
    );
  };
  await join();
  return { leave, join, close: () => bus.close() };
}
