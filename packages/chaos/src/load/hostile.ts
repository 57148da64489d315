import { jobBody, type Send } from '@joblisting/e2e/harness';
import type { Random } from '../random.ts';

/** A request that means harm, and must get a 4xx. */
export interface Hostile {
  readonly name: string;
  readonly path: string;
  readonly send: Send;
}

/** Hostile requests of many kinds, none twice the same. */
export function hostile(random: Random, companyId: number, jobId: number): Hostile {
  const noise = `${random.whole(0, 2 ** 31)}`;
  const put = (name: string, raw: string): Hostile => ({
    name,
    path: `/jobs/${jobId}`,
    send: { method: 'PUT', raw },
  });
  const post = (name: string, overrides: Record<string, unknown>): Hostile => ({
    name,
    path: '/jobs',
    send: { method: 'POST', body: jobBody(companyId, overrides) },
  });
  return random.pick<() => Hostile>([
    () => put('deep nesting', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
    () => put('not JSON', `{"title":"${noise}`),
    () => put('large body', JSON.stringify({ title: 'x'.repeat(5 * 1024 * 1024) })),
    () => put('operators', `{"title":{"$ne":"${noise}"}}`),
    () => put('lone surrogate', `{"title":"\\ud800${noise}"}`),
    () => post('script', { descriptionFormat: 'html', description: `<script>${noise}</script>` }),
    () => post('many tags', { descriptionFormat: 'html', description: `${'<b '.repeat(50_000)}${noise}` }),
    () =>
      post('unclosed', { descriptionFormat: 'html', description: `${'<div>'.repeat(20_000)}<x${noise}>` }),
    () => post('too many categories', { categories: Array.from({ length: 5000 }, (_, id) => ({ id })) }),
    () => post('long title', { title: noise.padEnd(257, 'x') }),
    () => ({
      name: 'wrong keys',
      path: `/jobs/${jobId}`,
      send: { headers: { 'Consumer-API-Key': `jlc_${noise.padEnd(38, 'x')}` } },
    }),
    () => ({ name: 'odd path', path: `/jobs/${noise}%00%2e%2e`, send: {} }),
    () => ({ name: 'unknown path', path: `/${'a/'.repeat(200)}${noise}`, send: {} }),
    () => ({ name: 'query', path: `/jobs?company.id=${companyId}&page=${noise}e400`, send: {} }),
    () => ({ name: 'foreign company', path: `/jobs?company.id=${random.whole(10_000, 99_999)}`, send: {} }),
  ])();
}
