import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { generatedFiles } from '../../../infra/generate/files.mjs';
import { serviceNames } from '../src/permissions/index.ts';

const root = new URL('../../../', import.meta.url);

it.each(Object.entries(generatedFiles()))('%s is up to date (else: npm run generate)', (path, content) => {
  const file = new URL(path, root);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(content);
});

it('every folder of services/ is in the list of services, and nothing else is', () => {
  expect(serviceNames.toSorted()).toEqual(readdirSync(new URL('services', root)).toSorted());
});
