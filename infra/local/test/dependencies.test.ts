import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { root } from '../bootstrap/paths.mjs';
import { dataDirectory } from './stubs/system.ts';

interface Finished {
  readonly code: number;
  readonly output: string;
}

const cache = dataDirectory();
afterAll(() => cache.remove());

/** Runs a program of the checkout with another registry. */
const run = (file: string, args: readonly string[], registry: string): Promise<Finished> =>
  new Promise((resolve) => {
    // Without the settings of the npm that runs this test.
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, npm_config_registry: registry, npm_config_cache: cache.path };
    execFile(file, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });

/** A registry that knows these vulnerabilities and nothing else. */
async function withRegistry<T>(advisories: object, work: (address: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = request.method === 'POST' ? 200 : 404;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(advisories));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const audit = (registry: string): Promise<Finished> => run(join(root, '.ci', 'audit'), [], registry);
/** npm caches an advisory by its id. */
const advisory = (id: number, severity: string) => ({
  fastify: [{ id, severity, url: 'https://example.com/advisory', title: 'A hole', vulnerable_versions: '*' }],
});

describe('.ci/audit', () => {
  it.each([
    ['without vulnerabilities', {}, 0],
    ['with a moderate one', advisory(1, 'moderate'), 0],
    ['with a high one', advisory(2, 'high'), 1],
  ])('answers for dependencies %s', async (_what, advisories, failed) => {
    const { code, output } = await withRegistry(advisories, audit);
    expect(code).toBe(failed);
    expect(output).toMatch(new RegExp(`^Audit: ${1 - failed} passed, ${failed} failed$`, 'm'));
    expect(output.includes('A hole')).toBe(failed === 1);
  });

  it('does not fail because of the network, and says so', async () => {
    const { code, output } = await audit('http://127.0.0.1:1');
    expect(code).toBe(0);
    expect(output).toMatch(/^Audit: skipped, the registry could not be asked/);
  });
});

describe('npm run sbom', () => {
  it('lists every dependency of the lock file in production, with its hash', async () => {
    await expect(run('npm', ['run', 'sbom'], 'http://127.0.0.1:1')).resolves.toMatchObject({ code: 0 });
    const { bomFormat, components } = JSON.parse(
      readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8'),
    ) as {
      bomFormat: string;
      components: readonly { purl: string; hashes?: readonly object[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const named = (name: string) => components.filter(({ purl }) => purl.startsWith(`pkg:npm/${name}@`));
    expect([named('fastify').length, named('mongoose').length, named('turbo').length]).toEqual([1, 1, 0]);
    const own = /^pkg:npm\/%40joblisting\//;
    expect(components.filter(({ purl, hashes }) => !hashes && !own.test(purl))).toEqual([]);
  });
});
