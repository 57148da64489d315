import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { generatedFiles } from '../../../infra/nats/generated.mjs';

const read = (name: string): string =>
  readFileSync(new URL(`../../../infra/nats/${name}`, import.meta.url), 'utf8');

it.each(Object.entries(generatedFiles(read)))(
  'infra/nats/%s is what the contracts say (else: npm run permissions -w packages/contracts)',
  (name, content) => {
    expect(read(name)).toBe(content);
  },
);
