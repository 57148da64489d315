import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from './node-flags.ts';

const dockerfile = readFileSync(join(import.meta.dirname, '../../../infra/docker/Dockerfile'), 'utf8');

describe('the image of a service', () => {
  it('starts Node with the flags of the local start', () => {
    const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/main.js']);
  });

  it.each(Object.entries(NODE_ENVIRONMENT))('sets %s=%s as the local start does', (name, value) => {
    expect(dockerfile).toMatch(new RegExp(`^ENV ${name}=${value}$`, 'm'));
  });
});
