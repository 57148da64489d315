import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import { installCommand } from '../bootstrap/command.mjs';
import { root } from '../bootstrap/paths.mjs';
import { rememberServers } from '../bootstrap/prepare.mjs';
import { findMongod, findNatsServer, whyItFails } from '../bootstrap/servers.mjs';
import { createSteps } from '../bootstrap/terminal.mjs';

const silent = { run: (_label: string, work: (note: () => void) => unknown) => work(() => {}) };

describe('rememberServers', () => {
  it('keeps the path of a server that this start did not look for', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'bootstrap-')), 'cache', 'servers.json');
    rememberServers(file, { mongod: '/a/mongod', 'nats-server': '/a/nats-server' });
    rememberServers(file, { mongod: undefined, 'nats-server': '/b/nats-server' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mongod: '/a/mongod',
      'nats-server': '/b/nats-server',
    });
    rmSync(dirname(dirname(file)), { recursive: true });
  });
});

describe('finding servers on PATH', () => {
  const path = process.env['PATH'];
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(directory, { recursive: true });
  });

  /** Puts programs on PATH that only print their version. */
  const install = (program: string, versions: readonly string[]): string[] => {
    const files = versions.map((version, index) => {
      const bin = join(directory, String(index));
      mkdirSync(bin);
      writeFileSync(join(bin, program), `#!/bin/sh\necho '${version}'\n`);
      chmodSync(join(bin, program), 0o755);
      return join(bin, program);
    });
    process.env['PATH'] = [...versions.map((_, index) => join(directory, String(index))), path].join(
      delimiter,
    );
    return files;
  };

  it('takes the first mongod on PATH that is new enough', async () => {
    const [, second] = install('mongod', ['db version v5.0.31', 'db version v8.0.4']);
    const found = await findMongod(silent, Promise.resolve(), () => Promise.reject(new Error('not needed')));
    expect(found).toBe(second);
  });

  it('takes the first nats-server on PATH that is new enough', async () => {
    const [, second] = install('nats-server', ['nats-server: v2.9.10', 'nats-server: v2.10.0']);
    await expect(findNatsServer(silent)).resolves.toBe(second);
  });
});

describe('a missing program or library', () => {
  const missing = (library: string): string =>
    `mongod: error while loading shared libraries: ${library}: cannot open shared object file: No such file`;

  it.each([
    ['libcurl.so.4', /^mongod needs libcurl\.so\.4, which is missing\. Install it: .*curl/],
    ['libcrypto.so.3', /^mongod needs libcrypto\.so\.3, which is missing\. Install it: .*ssl/],
  ])('is named in the error with its install command: %s', (library, message) => {
    expect(whyItFails(missing(library))).toMatch(message);
  });

  it.each([
    ['apt-get', 'apt-get install -y one'],
    ['dnf', 'dnf install -y two'],
    ['pacman', 'pacman -S three'],
    ['brew', 'brew install four'],
    ['none', 'apt-get install -y one'],
  ])('is installed with the package manager of this machine: %s', (program, command) => {
    const packages = { debian: 'one', fedora: 'two', arch: 'three', brew: 'four' };
    expect(installCommand(packages, (name: string) => name === program)).toBe(command);
  });
});

describe('steps', () => {
  it('show a step after a second, with its progress, and no quicker step', async () => {
    const stream = new PassThrough();
    let shown = '';
    stream.on('data', (chunk: Buffer) => {
      shown += chunk.toString();
    });
    const steps = createSteps(Object.assign(stream, { isTTY: true, columns: 80 }) as never);
    await steps.run('Quick', async () => {});
    await steps.run('Slow', async (note) => {
      note('1 of 2');
      await waitFor(() => shown.includes('Slow 1 of 2 ('), { what: 'the step to be shown' });
    });
    expect(shown).toMatch(/Slow: done after \d\.\d s\n$/);
    expect(shown).not.toContain('Quick');
  });
});

describe('bootstrap.mjs', () => {
  it.each([[[]], [['dance']]])('prints its usage for %j', async (args) => {
    const outcome = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [join(root, 'infra/local/bootstrap.mjs'), ...args], (error, _, stderr) => {
        resolve({ code: error?.code, stderr });
      });
    });
    expect(outcome).toEqual({
      code: 1,
      stderr:
        'Usage: node infra/local/bootstrap.mjs start|test|cli|chaos|bench|fuzz|generate|check|containers [arguments]\n',
    });
  });
});
