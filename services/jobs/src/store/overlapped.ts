const AT_ONCE = 2;

/**
 * Does the work for each item while the next one is worked on already, and yields the results in their order. Rejects as
 * the work does: what is under way then has ended before, as it has where nobody wants more.
 */
export async function* overlapped<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const begun = work(item);
      // Whether it failed is asked for when its turn comes.
      begun.catch(() => undefined);
      underWay.push(begun);
      if (underWay.length === AT_ONCE) yield await (underWay.shift() as Promise<R>);
    }
    for (const last of underWay) yield await last;
  } finally {
    await Promise.allSettled(underWay);
  }
}
