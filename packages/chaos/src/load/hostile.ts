import { jobBody, type Send } from '@joblisting/testing/system';
import type { Random } from '../random.ts';

/** A hostile request, which must get a 4xx. */
export interface Hostile {
  readonly name: string;
  readonly path: string;
  readonly send: Send;
}

export interface Target {
  readonly companyId: number;
  readonly jobId: number;
  /** The key of a job that was created with another body. */
  readonly usedKey: string;
}

const MEBI = 1024 * 1024;

type Attack = (noise: string, target: Target, random: Random) => Hostile;

const put =
  (name: string, raw: (noise: string) => string): Attack =>
  (noise, { jobId }) => ({ name, path: `/jobs/${jobId}`, send: { method: 'PUT', raw: raw(noise) } });

const post =
  (name: string, overrides: (noise: string) => Record<string, unknown>): Attack =>
  (noise, { companyId }) => ({
    name,
    path: '/jobs',
    send: { method: 'POST', body: jobBody(companyId, overrides(noise)) },
  });

const withHeader =
  (name: string, header: string, value: (noise: string) => string, method = 'POST'): Attack =>
  (noise, { companyId }) => ({
    name,
    path: '/jobs',
    send: { method, headers: { [header]: value(noise) }, body: jobBody(companyId) },
  });

const attacks: readonly Attack[] = [
  put('deep nesting', () => `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  put('broad nesting', (noise) => `{"x":[${'[[[[]]]],'.repeat(100_000)}"${noise}"]}`),
  put('not JSON', (noise) => `{"title":"${noise}`),
  put('too large', () => JSON.stringify({ title: 'x'.repeat(5 * MEBI) })),
  put('as large as may be', (noise) => JSON.stringify({ title: noise.padEnd(4 * MEBI - 100, 'x') })),
  put('operators', (noise) => `{"title":{"$ne":"${noise}"}}`),
  put('lone surrogate', (noise) => `{"title":"\\ud800${noise}"}`),
  put('number too large', (noise) => `{"status":{"id":1e400},"city":"${noise}"}`),
  post('script', (noise) => ({ descriptionFormat: 'html', description: `<script>${noise}</script>` })),
  post('many tags', (noise) => ({
    descriptionFormat: 'html',
    description: `${'<b '.repeat(50_000)}${noise}`,
  })),
  post('unclosed', (noise) => ({
    descriptionFormat: 'html',
    description: `${'<div>'.repeat(20_000)}<x${noise}>`,
  })),
  post('too many categories', () => ({ categories: Array.from({ length: 5000 }, (_, id) => ({ id })) })),
  post('long title', (noise) => ({ title: noise.padEnd(257, 'x') })),
  withHeader('wrong keys', 'Consumer-API-Key', (noise) => `jlc_${noise.padEnd(38, 'x')}`),
  withHeader('unreadable keys', 'User-API-Key', (noise) => noise.repeat(500)),
  withHeader('wrong override', 'X-HTTP-Method-Override', (noise) => `PATCH${noise}`),
  withHeader('overridden', 'X-HTTP-Method-Override', () => 'GET'),
  withHeader('key of another body', 'Idempotency-Key', () => 'used'),
  withHeader('key too long', 'Idempotency-Key', (noise) => noise.padEnd(256, 'x')),
  withHeader('wrong type', 'Content-Type', (noise) => `text/${noise}`),
  (noise, { jobId }) => ({ name: 'odd path', path: `/jobs/${jobId}${noise}%00%2e%2e`, send: {} }),
  (noise) => ({ name: 'unknown path', path: `/${'a/'.repeat(200)}${noise}`, send: {} }),
  (noise, { companyId }) => ({
    name: 'query',
    path: `/jobs?company.id=${companyId}&page=${noise}e400`,
    send: {},
  }),
  (_noise, _target, random) => ({
    name: 'foreign company',
    path: `/jobs?company.id=${random.whole(100_000, 999_999)}`,
    send: {},
  }),
];

/** A random hostile request. No two are the same. */
export function hostile(random: Random, target: Target): Hostile {
  const { name, path, send } = random.pick(attacks)(`${random.whole(1, 2 ** 31)}`, target, random);
  const isReuse = send.headers?.['Idempotency-Key'] === 'used';
  return { name, path, send: isReuse ? { ...send, headers: { 'Idempotency-Key': target.usedKey } } : send };
}
