// Seeds the demo through the front door, once: its keys are kept in the volume of the demo.
import { ensureDemo } from '../../local/dist/seed/demo.js';

const { GATEWAY_URL, NATS_URL } = process.env;
await ensureDemo({ dataDir: '/demo', publicUrl: GATEWAY_URL, clockOffsetMs: 0 }, NATS_URL);
