// `npm run generate`: writes the files that follow from the list of services. --check only reports stale files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../local/bootstrap/paths.mjs';
import { generatedFiles } from './files.mjs';

const stale = Object.entries(generatedFiles()).filter(([path, content]) => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== content;
});

if (process.argv.includes('--check')) {
  for (const [path] of stale) process.stdout.write(`${path} is stale: run npm run generate\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, content] of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    process.stdout.write(`${path}\n`);
  }
}
