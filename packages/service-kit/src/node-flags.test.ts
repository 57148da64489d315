import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.ts';

const dockerfile = readFileSync(join(import.meta.dirname, '../../../infra/docker/Dockerfile'), 'utf8');

describe("Node's flags", () => {
  it('are the same in the image of a service', () => {
    const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/main.js']);
  });
});

describe("Node's environment", () => {
  it.each(Object.entries(NODE_ENVIRONMENT))('has %s=%s in the image of a service', (name, value) => {
    const set = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
    expect(set).toContain(`${name}=${value}`);
  });
});
