import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Keys } from '@joblisting/e2e/harness';
import type { Random } from '../seed/texts.ts';

export interface StatusRead {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly ms: number;
  readonly httpStatus: number;
  /** Jobs that were shown with a status other than the clock's. */
  readonly wrong: number;
}

export interface Watched {
  readonly origin: string;
  readonly keys: Keys;
  readonly companyId: number;
  readonly jobs: ReadonlyMap<number, { readonly before: number; readonly after: number }>;
  /** When all of them change, by this machine's clock. */
  readonly noonAt: number;
}

interface Shown {
  readonly id: number;
  readonly status: { readonly id: number };
}

const READERS = 3;
const REST_MS = 20;
/** Each reader reads the list once in so many reads. */
const LIST_ONE_IN = 5;

/** Reads jobs and lists of one company at a calm pace, and looks at each status. */
export function startStatusReads({ origin, keys, companyId, jobs, noonAt }: Watched, random: Random) {
  const api = createClient(origin, keys);
  const ids = [...jobs.keys()];
  const reads: StatusRead[] = [];
  let isStopping = false;

  const isWrong = ({ id, status }: Shown, startedAt: number, endedAt: number): boolean => {
    const job = jobs.get(id);
    if (!job) return false;
    if (startedAt >= noonAt) return status.id !== job.after;
    return endedAt < noonAt ? status.id !== job.before : ![job.before, job.after].includes(status.id);
  };
  const readOnce = async (): Promise<void> => {
    const isList = random.below(LIST_ONE_IN) === 0;
    const path = isList ? `/jobs?company.id=${companyId}&pageSize=20` : `/jobs/${random.pick(ids)}`;
    const startedAt = Date.now();
    const since = performance.now();
    const { status, json } = await api.get(path);
    const ms = performance.now() - since;
    const shown = status === 200 ? ([json.data].flat() as Shown[]) : [];
    const endedAt = Date.now();
    const wrong = shown.filter((job) => isWrong(job, startedAt, endedAt)).length;
    reads.push({ startedAt, ms, httpStatus: status, wrong });
  };
  const work = async (): Promise<void> => {
    while (!isStopping) {
      await readOnce();
      await delay(REST_MS);
    }
  };
  const all = Promise.all(Array.from({ length: READERS }, work));
  return {
    reads: reads as readonly StatusRead[],
    /** Rejects with what ended a reader. */
    stop: async (): Promise<void> => {
      isStopping = true;
      await all;
    },
  };
}
