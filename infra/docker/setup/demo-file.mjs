// Writes the demo's keys to the same file as `npm start`, readable only by the owner of the checkout.
import { chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';

const { uid, gid } = statSync('/checkout/docker-compose.yml');
const demo = JSON.parse(readFileSync('/demo/demo.json', 'utf8'));
const file = '/checkout/data/demo.json';

writeFileSync(
  file,
  `${JSON.stringify({ ...demo, baseUrl: `${process.env.PUBLIC_URL}/v1.0` }, undefined, 2)}\n`,
  {
    mode: 0o600,
  },
);
// The engine creates a missing folder as root.
if (statSync('/checkout/data').uid === 0) chownSync('/checkout/data', uid, gid);
chownSync(file, uid, gid);
