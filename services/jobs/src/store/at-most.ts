/**
 * Work of which at most `most` is under way at once; what comes on top waits for its turn, in its order.
 * Resolves and rejects as the work does.
 */
export function atMost(most: number) {
  const waiting: (() => void)[] = [];
  let underWay = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (underWay >= most) await new Promise<void>((begin) => waiting.push(begin));
    else underWay += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}
