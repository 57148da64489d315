import type { Mongo } from '../mongo.ts';
import type { Metrics } from './metrics.ts';

/** Use of the connection pool, out of the driver's own events (CMAP specification). */
export function watchDatabase(metrics: Metrics, mongo: Mongo): void {
  const client = mongo.getClient();
  const failed = metrics.counter({
    name: 'mongodb_pool_checkout_failures_total',
    help: 'Operations that got no connection: the wait was too long, or the server away.',
  });
  // A few may have been opened before anybody looked.
  const open = new Set<string>();
  let inUse = 0;
  let waiting = 0;
  client
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
