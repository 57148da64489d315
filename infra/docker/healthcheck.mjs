// Exits with 0 if the service of this container is ready.
import { get } from 'node:http';

const limitMs = 3000;

get({ host: '127.0.0.1', port: process.env.HEALTH_PORT, path: '/readyz', timeout: limitMs })
  .once('response', (response) => process.exit(response.statusCode === 200 ? 0 : 1))
  .once('timeout', () => process.exit(1))
  .once('error', () => process.exit(1));
