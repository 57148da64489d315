import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FLAGS } from './node-flags.ts';

describe("Node's flags", () => {
  it('are the same in the image of a service', () => {
    const dockerfile = readFileSync(join(import.meta.dirname, '../../../infra/docker/Dockerfile'), 'utf8');
    const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
    expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'dist/main.js']);
  });
});
