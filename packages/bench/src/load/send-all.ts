import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '@joblisting/testing/system';

const RETRY_MS = 50;

/** Sends each request until its answer has the status, several at the same time. */
export async function sendAll(
  origin: string,
  requests: readonly string[],
  { atOnce, status }: { readonly atOnce: number; readonly status: number },
): Promise<{ retries: number }> {
  const { hostname, port } = new URL(origin);
  const left = [...requests].toReversed();
  let retries = 0;
  const work = async (): Promise<void> => {
    let connection = openConnection(hostname, Number(port));
    for (let request = left.pop(); request !== undefined; request = left.pop()) {
      while ((await connection.send(request)).status !== status) {
        retries += 1;
        await delay(RETRY_MS);
        if (!connection.isOpen()) connection = openConnection(hostname, Number(port));
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { retries };
}
