import type { Client, Keys, Send } from '@joblisting/testing/system';
import type { Balancer } from './balancer.ts';

/** A client that knows only the balancer in front of the gateways. */
export function balancedClient(balancer: Balancer, keys: Keys): Client {
  const send = (path: string, options?: Send) => balancer.send(keys, (client) => client.send(path, options));
  const withBody = (method: string) => (path: string, body?: unknown, options?: Send) =>
    send(path, { method, body, ...options });
  return {
    send,
    get: (path, headers) => send(path, headers && { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: withBody('DELETE'),
  };
}
