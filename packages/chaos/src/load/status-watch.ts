import type { Answer } from '@joblisting/testing/system';
import type { Random } from '../random.ts';
import type { World } from '../system/world.ts';
import type { DueJob } from './due-jobs.ts';
import type { Header } from './jobs.ts';

const STATUSES = [1, 2, 3];
const PAGE_SIZE = 200;

/** Reads jobs around a noon and compares what they say with what the clock demands. */
export function statusWatch({ api, companyId }: World, jobs: readonly DueJob[], noonAt: number) {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const wrong: string[] = [];
  const reads = { before: 0, after: 0 };

  /** A read that noon came into may show either. */
  const judge = async (
    read: () => Promise<Answer>,
    seenIn: (answer: Answer) => readonly { id: number; status: number }[],
  ): Promise<number> => {
    const begun = Date.now();
    const answer = await read();
    const when = begun >= noonAt ? 'after' : Date.now() < noonAt ? 'before' : undefined;
    if (answer.status !== 200 || when === undefined) return answer.status;
    for (const { id, status } of seenIn(answer)) {
      const job = byId.get(id);
      if (!job) continue;
      reads[when] += 1;
      if (job[when] !== status) wrong.push(`job ${id} has status ${status} ${when} noon, not ${job[when]}`);
    }
    return answer.status;
  };

  const inList = ({ json }: Answer): { id: number; status: number }[] =>
    (json.data as Header[]).map(({ id, status }) => ({ id, status: status.id }));

  return {
    wrong,
    reads,
    isAfter: (): boolean => Date.now() >= noonAt,
    /** Each resolves to the status of the answer. */
    look: {
      one: (random: Random): Promise<number> =>
        judge(
          () => api.get(`/jobs/${random.pick(jobs).id}`),
          ({ json }) => [{ id: Number(json.data.id), status: Number(json.data.status.id) }],
        ),
      /** A page of the list of one status: a job must be in the one that it says. */
      page: (random: Random): Promise<number> => {
        const status = random.pick(STATUSES);
        const page = random.whole(1, Math.ceil(jobs.length / PAGE_SIZE / STATUSES.length));
        const query = `company.id=${companyId}&status.id=${status}&page=${page}&pageSize=${PAGE_SIZE}`;
        return judge(
          () => api.get(`/jobs?${query}`),
          (answer) => inList(answer).map(({ id }) => ({ id, status })),
        );
      },
      /** The whole list, as far as a page goes. */
      all: (): Promise<number> => judge(() => api.get(`/jobs?company.id=${companyId}&pageSize=1000`), inList),
    },
  };
}
