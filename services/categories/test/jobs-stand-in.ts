import { connectBus, type Endpoint } from '@joblisting/bus';
import {
  findActiveCategories,
  findHeldCategories,
  renameCategoryOnJobs,
  type ServiceError,
} from '@joblisting/contracts';
import { createLog, endpoint } from '@joblisting/service-kit';

export interface StandInJob {
  version: number;
  categoryIds: number[];
}

/** What the service under test sees of `jobs`, and what the test says that there is. */
export interface JobsStandIn {
  /** The jobs that are committed. */
  readonly held: Map<number, StandInJob>;
  /** Active categories by company. */
  readonly active: Map<number, number[]>;
  /** The renames that arrived. */
  readonly renames: { categoryId: number; name: string; version: number }[];
  /** What the next calls are refused with, or `silent` for no answer at all, until it is undefined again. */
  fault: ServiceError | 'silent' | undefined;
  /** Runs before each answer. */
  before: (() => Promise<void>) | undefined;
  /** Leaves the bus: nobody serves `jobs`. */
  readonly leave: () => Promise<void>;
  readonly join: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Stands in for `jobs` on the bus, by its contracts. */
export async function serveJobs(url: string): Promise<JobsStandIn> {
  const bus = await connectBus({ url, name: 'jobs' });
  const log = createLog('jobs', 'silent');
  let served: { stop: () => Promise<void> } | undefined;
  const faulty = async () => {
    await standIn.before?.();
    if (standIn.fault === 'silent') await new Promise(() => undefined);
    if (standIn.fault) throw standIn.fault;
  };

  const endpoints: Endpoint[] = [
    endpoint(
      findHeldCategories,
      async ({ body }) => {
        await faulty();
        const found = body.jobIds.flatMap((jobId) => ({ jobId, ...standIn.held.get(jobId) }));
        return { data: found.filter((job) => 'version' in job) as ({ jobId: number } & StandInJob)[] };
      },
      log,
    ),
    endpoint(
      findActiveCategories,
      async ({ body }) => {
        await faulty();
        return { data: { ids: standIn.active.get(body.companyId) ?? [] } };
      },
      log,
    ),
    endpoint(
      renameCategoryOnJobs,
      async ({ body }) => {
        await faulty();
        standIn.renames.push(body);
        return { data: { jobs: 1 } };
      },
      log,
    ),
  ];

  const standIn: JobsStandIn = {
    held: new Map(),
    active: new Map(),
    renames: [],
    fault: undefined,
    before: undefined,
    leave: async () => {
      await served?.stop();
      served = undefined;
    },
    join: async () => {
      served = await bus.serve(endpoints, {
        name: 'jobs',
        version: '1.0.0',
        description: 'A stand-in',
        maxInFlight: 256,
        onError: () => undefined,
      });
    },
    close: () => bus.close(),
  };
  await standIn.join();
  return standIn;
}
