import type { Log, TaskOutcome } from '@joblisting/service-kit';
import type { ListRecount } from '../store/list-recount.ts';

/** What one run looks at, at most, but for the last company: 0.1 s of the database, and 20 ms of this process. */
const MOST_JOBS = 50_000;
const MOST_COMPANIES = 15;

/**
 * Compares what is counted for the lists of companies with their jobs, the next companies each time, and has it
 * counted anew where the two differ. Writes of an earlier release make them differ, which may run beside this one,
 * and so does anything else that changes jobs in the database. Idle where the last time through all companies has found
 * all of them right, until one is found that is not, or of which that cannot be told.
 */
export function auditLists(recount: ListRecount, stopping: AbortSignal, log: Log) {
  let last = 0;
  let wasRight = false;
  let isRightSoFar = true;

  const notRight = () => {
    wasRight = false;
    isRightSoFar = false;
  };

  /** Resolves to how many jobs were looked at; undefined behind the last company. */
  const auditNext = async (): Promise<number | undefined> => {
    const companyId = await recount.companyAfter(last);
    last = companyId ?? 0;
    if (companyId === undefined) {
      wasRight = isRightSoFar;
      isRightSoFar = true;
      return undefined;
    }
    const { isRight, jobs } = await recount.audit(companyId).catch((error: unknown) => {
      notRight();
      throw error;
    });
    if (isRight !== true) notRight();
    if (isRight === false) {
      log.warn({ companyId }, 'the lists of a company were counted wrong; they are counted anew');
      await recount.order(companyId);
    }
    return jobs;
  };

  const auditSome = async (): Promise<void> => {
    let jobs = 0;
    for (let companies = 0; companies < MOST_COMPANIES && !stopping.aborted; companies++) {
      const more = await auditNext();
      if (more === undefined || (jobs += more) >= MOST_JOBS) return;
    }
  };

  return async (): Promise<TaskOutcome> => {
    await auditSome();
    return wasRight ? 'idle' : undefined;
  };
}
