import { listOf, property } from '../values.ts';
import type { JobBody } from '../postings/mapping.ts';
import type { Answer, Client } from './client.ts';
import { refusalOf } from './refusal.ts';
import type { Refusal } from './refusal.ts';

const PAGE_SIZE = 1000;

/** The API operations that an import uses. */
export interface JobsApi {
  /** The company's job ids by referenceId. Throws `ListRefusedError`. */
  readonly references: (companyId: number) => Promise<ReadonlyMap<string, number>>;
  readonly job: (id: number) => Promise<Answer>;
  readonly put: (body: JobBody) => Promise<Answer>;
}

/** The API refuses to list the company's jobs, so nothing can be imported. */
export class ListRefusedError extends Error {
  override readonly name = 'ListRefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

export function jobsApi(client: Client): JobsApi {
  return {
    references: (companyId) => allReferences(client, companyId),
    job: (id) => client.request('GET', `/jobs/${id}`),
    put: (body) => client.request('PUT', '/jobs', body),
  };
}

async function allReferences(client: Client, companyId: number): Promise<ReadonlyMap<string, number>> {
  const references = new Map<string, number>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const path = `/jobs?company.id=${companyId}&pageSize=${PAGE_SIZE}&page=${page}`;
    const answer = await client.request('GET', path);
    if (answer.status !== 200) throw new ListRefusedError(refusalOf(answer));
    pages = Number(property(property(answer.body, 'paging'), 'pages') ?? 0);
    for (const header of listOf(property(answer.body, 'data'))) {
      const referenceId = property(header, 'referenceId');
      const id = property(header, 'id');
      if (typeof referenceId === 'string' && typeof id === 'number') references.set(referenceId, id);
    }
  }
  return references;
}
