// A stub of a service: reads its environment, serves its health, ends on SIGTERM.
import { createServer } from 'node:http';

const isGateway = process.env['HOST'] !== undefined;
if (isGateway && process.env['STUB_FAULT'] !== undefined) {
  console.error(process.env['STUB_FAULT']);
  process.exit(1);
}
const port = Number(isGateway ? process.env['PORT'] : process.env['HEALTH_PORT']);
const host = isGateway ? process.env['HOST'] : '127.0.0.1';

const log = (level: number, msg: string): void => console.log(JSON.stringify({ level, time: 0, msg }));
const server = createServer((request, response) => {
  if (request.url === '/warn') log(40, 'a stub warns');
  if (request.url === '/env') response.end(JSON.stringify(process.env));
  else response.end(request.url === '/flags' ? JSON.stringify(process.execArgv) : 'ready');
});
server.listen(port, host, () => log(30, 'a stub is up'));
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
