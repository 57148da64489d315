import { type Bus, connectBus, type RawReply, type RawRequest } from '@joblisting/bus';
import {
  createApplication,
  deleteApplication,
  eraseApplicant,
  getApplication,
  getApplicationFile,
  listApplications,
  type Operation,
  queueCopies,
} from '@joblisting/contracts';
import { application, applicationCopy, applicationHeader } from '../../src/routes/examples.ts';
import { startGateway, type TestGateway } from './gateway.ts';
import { keys, siteKey } from './stand-ins.ts';

export const site = { 'Consumer-API-Key': siteKey };
export const json = { 'Content-Type': 'application/json' };
export const companyKeys = keys;

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const replies = new Map<Operation, RawReply>([
  [createApplication, { outcome: 'created', id: application.id, data: bytes(application) }],
  [
    listApplications,
    {
      outcome: 'ok',
      data: bytes([applicationHeader]),
      paging: { total: 3, pageSize: 1, page: 2, pages: 3 },
    },
  ],
  [getApplication, { outcome: 'ok', data: bytes(application) }],
  [getApplicationFile, { outcome: 'ok', data: bytes('a file'), file: { name: 'a', type: 'text/plain' } }],
  [deleteApplication, { outcome: 'deleted', data: bytes('') }],
  [eraseApplicant, { outcome: 'ok', data: bytes({ erased: 2 }) }],
  [queueCopies, { outcome: 'ok', data: bytes([applicationCopy]) }],
]);

/** A request as it arrived at the owner. */
export interface SeenRequest extends RawRequest {
  readonly subject: string;
}

export interface ApplicationsWorld {
  readonly gateway: TestGateway;
  /** The requests that arrived at the owner. */
  readonly seen: SeenRequest[];
  /** Changes the replies, or throws in their place. */
  reply: () => Partial<RawReply>;
  readonly reset: () => void;
  readonly ownerLeaves: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Serves stand-ins of all operations of `applications` that see bodies as bytes, whatever their media type. */
export async function serveApplications(
  natsUrl: string,
  seen: SeenRequest[],
  reply: () => Partial<RawReply>,
): Promise<{ readonly bus: Bus; readonly stop: () => Promise<void> }> {
  const bus = await connectBus({ url: natsUrl, name: 'applications' });
  const endpoints = [...replies].map(([operation, usual]) => ({
    operation,
    handle: async (raw: RawRequest): Promise<RawReply> => {
      seen.push({ ...raw, subject: operation.subject });
      return { ...usual, ...reply() };
    },
  }));
  const options = { name: 'applications', version: '1.0.0', description: 'Played.', maxInFlight: 10 };
  const served = await bus.serve(endpoints, { ...options, onError: () => undefined });
  return { bus, stop: () => served.stop() };
}

/** A gateway beside a stand-in of the owner of applications. */
export async function startApplicationsWorld(env: Record<string, string> = {}): Promise<ApplicationsWorld> {
  const gateway = await startGateway(env);
  const seen: SeenRequest[] = [];
  const owner = await serveApplications(gateway.nats.url, seen, () => world.reply());
  const world: ApplicationsWorld = {
    gateway,
    seen,
    reply: () => ({}),
    reset: () => {
      seen.length = 0;
      world.reply = () => ({});
    },
    ownerLeaves: () => owner.stop(),
    stop: async () => {
      await gateway.stop();
      await owner.bus.close();
    },
  };
  return world;
}
