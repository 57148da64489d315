import { type Connection, openConnection } from '@joblisting/chaos/connection';

export interface Paced {
  readonly origin: string;
  readonly everyMs: number;
  readonly next: () => string;
}

const CONNECTIONS = 4;

/** Sends at a pace that answers do not change, unless all connections wait: then a turn is left out. */
export function startPaced({ origin, everyMs, next }: Paced) {
  const { hostname, port } = new URL(origin);
  const all = Array.from({ length: CONNECTIONS }, () => openConnection(hostname, Number(port)));
  const free: Connection[] = [...all];
  const underWay = new Set<Promise<void>>();
  const statuses = new Map<number, number>();
  const send = async (connection: Connection): Promise<void> => {
    const { status } = await connection.ask(next());
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (connection.isOpen()) free.push(connection);
  };
  const timer = setInterval(() => {
    const connection = free.pop();
    if (!connection) return;
    const work = send(connection).finally(() => underWay.delete(work));
    underWay.add(work);
  }, everyMs);
  return {
    /** How often each status was answered. */
    statuses: statuses as ReadonlyMap<number, number>,
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await Promise.all(underWay);
      for (const connection of all) connection.close();
    },
  };
}
