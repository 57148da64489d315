/**
 * Does the work for each item while the next one is worked on already, and yields the results in their order. Rejects as
 * the work does: what is under way then has ended before, as it has where nobody wants more.
 */
export async function* overlapped<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  let before: Promise<R> | undefined;
  try {
    for await (const item of items) {
      const current = work(item);
      // Whether it failed is asked for when its turn comes.
      current.catch(() => undefined);
      const ended = before;
      before = current;
      if (ended) yield await ended;
    }
    const last = before;
    before = undefined;
    if (last) yield await last;
  } finally {
    await before?.catch(() => undefined);
  }
}
