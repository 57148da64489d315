import { type Answer, createClient, jobBody, newReference } from '@joblisting/testing/system';
import type { World } from '../system/world.ts';

/** One kind of request. */
export interface Probe {
  readonly name: string;
  readonly send: (signal: AbortSignal) => Promise<Answer>;
}

/** An attempt to create a job, with its answer. */
export interface CreationAttempt {
  readonly referenceId: string;
  readonly status: number;
}

/** One request for every set of dependencies. `onCreate` gets each attempt to create a job. */
export async function makeProbes(world: World, origin: string, onCreate: (attempt: CreationAttempt) => void) {
  const { companyId, keys, metricsKeys } = world;
  const api = createClient(origin, keys);
  const metrics = createClient(origin, metricsKeys);
  const anonymous = createClient(origin);
  const first = await api.post('/jobs', jobBody(companyId, { categories: [{ name: 'Probing' }] }));
  if (first.status !== 201) throw new Error(`the first job answered ${first.status}: ${first.text}`);
  const { id, url, categories } = first.json.data;
  const get = (client: typeof api, path: string) => (signal: AbortSignal) => client.send(path, { signal });
  let counter = 0;
  const probes: readonly Probe[] = [
    { name: 'GET job', send: get(api, `/jobs/${id}`) },
    { name: 'GET jobs', send: get(api, `/jobs?company.id=${companyId}`) },
    {
      name: 'POST job',
      send: async (signal) => {
        const referenceId = newReference();
        const body = jobBody(companyId, { referenceId, categories: [{ id: categories[0].id }] });
        const answer = await api.post('/jobs', body, { signal });
        onCreate({ referenceId, status: answer.status });
        return answer;
      },
    },
    {
      name: 'PUT job',
      send: (signal) => api.put(`/jobs/${id}`, { title: `Title ${counter++}` }, { signal }),
    },
    { name: 'GET categories', send: get(anonymous, `/jobcategories?company.id=${companyId}`) },
    { name: 'GET active categories', send: get(anonymous, `/jobcategories?company.id=${companyId}&active`) },
    {
      name: 'POST category',
      send: (signal) =>
        api.post(
          '/jobcategories',
          { name: `Probe ${counter++} ${Date.now()}`, company: { id: companyId } },
          { signal },
        ),
    },
    {
      name: 'POST events',
      send: (signal) =>
        metrics.post(
          '/metrics/events',
          { events: [{ id: crypto.randomUUID(), jobId: id, type: 'view' }] },
          { signal },
        ),
    },
    { name: 'GET short link', send: get(anonymous, new URL(String(url)).href) },
    { name: 'GET job types', send: get(anonymous, '/jobtypes') },
    { name: 'GET countries', send: get(anonymous, '/countries') },
    { name: 'GET healthz', send: get(anonymous, `${origin}/healthz`) },
  ];
  return { probes, firstId: Number(id) };
}
