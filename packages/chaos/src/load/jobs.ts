import { type Client, jobBody } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';
import { untilDecided } from './decided.ts';

/** Creates a job and resolves to its id. */
export async function createJob(
  { api, companyId }: Pick<World, 'api' | 'companyId'>,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { answer } = await untilDecided(() => api.post('/jobs', jobBody(companyId, overrides)));
  return Number(answer.json.data.id);
}

/** A job in a list. */
export interface Header {
  readonly id: number;
  readonly referenceId: string | null;
  readonly title: string;
  readonly status: { readonly id: number };
  readonly viewCount: number;
  readonly applicationCount: number;
  readonly clickThroughCount: number;
}

/** Reads all pages of a company's list. */
export async function listAll(api: Client, companyId: number, status?: number): Promise<Header[]> {
  const filter = status === undefined ? '' : `&status.id=${status}`;
  const headers: Header[] = [];
  for (let page = 1; ; page++) {
    const answer = await api.get(`/jobs?company.id=${companyId}&pageSize=1000&page=${page}${filter}`);
    if (answer.status !== 200) throw new Error(`the list answered ${answer.status}: ${answer.text}`);
    headers.push(...(answer.json.data as Header[]));
    if (answer.json.paging.next === null) return headers;
  }
}
