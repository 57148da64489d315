import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** The version of the product: every package has the same (packages/contracts/README.md, "A release"). */
export const productVersion: string = JSON.parse(readFileSync(manifest, 'utf8')).version;
