import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../config.ts';

/** Connections that wait to be accepted. Past it, a client retries only after a second, then three. */
const BACKLOG = 4096;

/** Listens and returns the address. Throws ConfigError if it cannot listen on HOST and PORT. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw configErrorOf((error as NodeJS.ErrnoException).code, host, port) ?? error;
  }
}

function configErrorOf(code: string | undefined, host: string, port: number): ConfigError | undefined {
  if (code === 'EADDRINUSE') return new ConfigError([`PORT ${port} on ${host} is taken by another process`]);
  if (code === 'EACCES') return new ConfigError([`PORT ${port} may not be opened by this user`]);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`HOST ${host} is no address of this machine`]);
  }
  return undefined;
}
