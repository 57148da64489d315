/** Repeats the work in several workers until `stop`, which resolves when all have ended. */
export function startWorkers(count: number, work: (worker: number) => Promise<void>) {
  let stopping = false;
  const failures: unknown[] = [];
  const worker = async (index: number): Promise<void> => {
    while (!stopping) {
      try {
        await work(index);
      } catch (error) {
        failures.push(error);
        return;
      }
    }
  };
  const done = Promise.all(Array.from({ length: count }, (_, index) => worker(index)));
  return {
    /** @throws the first error that ended a worker */
    stop: async (): Promise<void> => {
      stopping = true;
      await done;
      if (failures.length > 0) throw failures[0];
    },
    failure: () => failures[0],
  };
}

/** Does the work under a load, and stops the load. */
export async function underLoad<T>(
  load: { readonly stop: () => Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await load.stop();
  }
}
