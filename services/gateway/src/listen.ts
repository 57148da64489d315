import { ConfigError } from '@joblisting/service-kit';
import type { FastifyInstance } from 'fastify';

/** Connections that wait to be accepted. One that finds no room there tries again only after a second, and then three. */
const BACKLOG = 4096;

/** Listens and returns the address. Throws ConfigError where HOST and PORT cannot be had. */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw refusalOf((error as NodeJS.ErrnoException).code, host, port) ?? error;
  }
}

function refusalOf(code: string | undefined, host: string, port: number): ConfigError | undefined {
  if (code === 'EADDRINUSE') return new ConfigError([`PORT ${port} on ${host} is taken by another process`]);
  if (code === 'EACCES') return new ConfigError([`PORT ${port} may not be opened by this user`]);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ConfigError([`HOST ${host} is no address of this machine`]);
  }
  return undefined;
}
