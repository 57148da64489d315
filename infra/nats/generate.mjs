// Writes the files that follow from packages/contracts: `npm run permissions -w packages/contracts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.mjs';

const here = (name) => new URL(name, import.meta.url);

for (const [name, content] of Object.entries(generatedFiles((name) => readFileSync(here(name), 'utf8')))) {
  writeFileSync(here(name), content);
}
