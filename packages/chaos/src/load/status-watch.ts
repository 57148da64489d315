import { status } from '@joblisting/contracts';
import type { Answer } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import type { DueJob } from './due-jobs.ts';
import type { Header } from './jobs.ts';

const STATUSES = [status.published, status.closed, status.pending];
const PAGE_SIZE = 200;

/** Reads jobs around a noon and compares their status with the clock. */
export function statusWatch({ api, companyId }: World, jobs: readonly DueJob[], noonAt: number) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const wrong: string[] = [];
  const reads = { before: 0, after: 0 };

  /** A read that noon falls into may show either status. */
  const judge = async (
    send: () => Promise<Answer>,
    statusesIn: (answer: Answer) => readonly { id: number; status: number }[],
  ): Promise<number> => {
    const startedAt = Date.now();
    const answer = await send();
    const when = startedAt >= noonAt ? 'after' : Date.now() < noonAt ? 'before' : undefined;
    if (answer.status !== 200 || when === undefined) return answer.status;
    for (const { id, status: actual } of statusesIn(answer)) {
      const job = byId.get(id);
      if (!job) continue;
      reads[when] += 1;
      if (job[when] !== actual) wrong.push(`job ${id} has status ${actual} ${when} noon, not ${job[when]}`);
    }
    return answer.status;
  };

  const inList = ({ json }: Answer): { id: number; status: number }[] =>
    (json.data as Header[]).map((job) => ({ id: job.id, status: job.status.id }));

  return {
    wrong,
    reads,
    isAfter: (): boolean => Date.now() >= noonAt,
    /** Each resolves to the HTTP status. */
    read: {
      one: (random: Random): Promise<number> =>
        judge(
          () => api.get(`/jobs/${random.pick(jobs).id}`),
          ({ json }) => [{ id: Number(json.data.id), status: Number(json.data.status.id) }],
        ),
      /** A page of the list of one status. */
      page: (random: Random): Promise<number> => {
        const statusId = random.pick(STATUSES);
        const page = random.whole(1, Math.ceil(jobs.length / PAGE_SIZE / STATUSES.length));
        const query = `company.id=${companyId}&status.id=${statusId}&page=${page}&pageSize=${PAGE_SIZE}`;
        return judge(
          () => api.get(`/jobs?${query}`),
          (answer) => inList(answer).map(({ id }) => ({ id, status: statusId })),
        );
      },
      /** The first thousand jobs of the list. */
      all: (): Promise<number> => judge(() => api.get(`/jobs?company.id=${companyId}&pageSize=1000`), inList),
    },
  };
}
