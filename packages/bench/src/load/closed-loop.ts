import { type Connection, openConnection } from '@joblisting/testing/system';

export interface Load {
  readonly origin: string;
  readonly connections: number;
  /** The next request, as its bytes go over the wire. */
  readonly next: () => string | Uint8Array;
  /** The expected status; other answers count as wrong. */
  readonly status: number;
}

export interface LoadResult {
  readonly requests: number;
  /** Answers with another status, by status. */
  readonly wrong: ReadonlyMap<number, number>;
  readonly seconds: number;
  /** Milliseconds of each request. */
  readonly times: number[];
}

/**
 * Each connection sends its next request when the last one is answered. Calls `begin` when all are open and have had
 * one answer, and what that returns after the last answer.
 */
export async function closedLoop(load: Load, ms: number, begin?: () => () => void): Promise<LoadResult> {
  const { hostname, port } = new URL(load.origin);
  const open = (): Connection => openConnection(hostname, Number(port));
  const connections = Array.from({ length: load.connections }, open);
  await Promise.all(connections.map((connection) => connection.send(load.next())));

  const times: number[] = [];
  const wrong = new Map<number, number>();
  const end = begin?.();
  const since = performance.now();
  const endAt = since + ms;
  const work = async (first: Connection): Promise<void> => {
    let connection = first;
    while (performance.now() < endAt) {
      if (!connection.isOpen()) connection = open();
      const { status, ms: took } = await connection.send(load.next());
      times.push(took);
      if (status !== load.status) wrong.set(status, (wrong.get(status) ?? 0) + 1);
    }
    connection.close();
  };
  await Promise.all(connections.map(work));
  const seconds = (performance.now() - since) / 1000;
  end?.();
  return { requests: times.length, wrong, seconds, times };
}
