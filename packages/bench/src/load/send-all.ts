import { setTimeout as delay } from 'node:timers/promises';
import { openConnection } from '@joblisting/testing/system';

const REST_MS = 50;

/** Sends each request until its answer has the status, several at once. `again` counts the repetitions. */
export async function sendAll(
  origin: string,
  requests: readonly string[],
  { atOnce, status }: { readonly atOnce: number; readonly status: number },
): Promise<{ again: number }> {
  const { hostname, port } = new URL(origin);
  const left = [...requests].toReversed();
  let again = 0;
  const work = async (): Promise<void> => {
    let connection = openConnection(hostname, Number(port));
    for (let request = left.pop(); request !== undefined; request = left.pop()) {
      while ((await connection.send(request)).status !== status) {
        again += 1;
        await delay(REST_MS);
        if (!connection.isOpen()) connection = openConnection(hostname, Number(port));
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { again };
}
