// Ends with 0 when the service of this container can do its work now.
import { get } from 'node:http';

const limitMs = 3000;

get({ host: '127.0.0.1', port: process.env.HEALTH_PORT, path: '/readyz', timeout: limitMs })
  .once('response', (answer) => process.exit(answer.statusCode === 200 ? 0 : 1))
  .once('timeout', () => process.exit(1))
  .once('error', () => process.exit(1));
