import type { Mongo } from '../mongo.ts';
import type { Metrics } from './metrics.ts';

/** Whether the database takes writes, and the use of the connection pool, from the driver's monitoring events. */
export function watchDatabase(metrics: Metrics, mongo: Mongo): void {
  const client = mongo.getClient();
  const failed = metrics.counter({
    name: 'mongodb_pool_checkout_failures_total',
    help: 'Operations that got no connection: the wait was too long, or the server away.',
  });
  // Connections that were opened before become known when they are used.
  const open = new Set<string>();
  let inUse = 0;
  let waiting = 0;
  // The connection was just made, so there was a primary.
  let isConnected = true;
  client
    .on('topologyDescriptionChanged', ({ newDescription }) => {
      isConnected = [...newDescription.servers.values()].some(({ isWritable }) => isWritable);
    })
    .on('connectionClosed', ({ address, connectionId }) => open.delete(`${address} ${connectionId}`))
    .on('connectionCheckOutStarted', () => waiting++)
    .on('connectionCheckOutFailed', () => {
      waiting--;
      failed.inc();
    })
    .on('connectionCheckedOut', ({ address, connectionId }) => {
      waiting--;
      inUse++;
      open.add(`${address} ${connectionId}`);
    })
    .on('connectionCheckedIn', () => inUse--);
  metrics.gauge(
    { name: 'mongodb_connected', help: '1 while a server that takes writes is there, 0 while none is.' },
    () => Number(isConnected),
  );
  metrics.gauge(
    {
      name: 'mongodb_pool_connections',
      help: 'Connections to MongoDB, in_use and idle.',
      labelNames: ['state'],
    },
    () => [
      { labels: { state: 'in_use' }, value: inUse },
      { labels: { state: 'idle' }, value: Math.max(0, open.size - inUse) },
    ],
  );
  metrics.gauge(
    { name: 'mongodb_pool_size_limit', help: 'The most connections of one pool.' },
    () => client.options.maxPoolSize,
  );
  metrics.gauge(
    { name: 'mongodb_pool_waiting', help: 'Operations that wait for a connection.' },
    () => waiting,
  );
}
