import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.ts';

const MEBIBYTE = 1024 ** 2;
const run = promisify(execFile);
const dockerfile = readFileSync(join(import.meta.dirname, '../../../infra/docker/Dockerfile'), 'utf8');

describe("Node's flags", () => {
  it('are the same in the image of a service', () => {
    const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/main.js']);
  });

  it('keep the young generation as large as it may be, when there was little to do as well', async () => {
    const youngAfterCollection = `
      gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
      const spaces = require('node:v8').getHeapSpaceStatistics();
      console.log(spaces.find((space) => space.space_name === 'new_space').space_size);`;
    const { stdout } = await run(process.execPath, [...NODE_FLAGS, '--eval', youngAfterCollection]);
    expect(Number(stdout)).toBe(8 * MEBIBYTE);
  });
});

describe("Node's environment", () => {
  it.each(Object.entries(NODE_ENVIRONMENT))('has %s=%s in the image of a service', (name, value) => {
    const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
    expect(set).toContain(`${name}=${value}`);
  });
});
