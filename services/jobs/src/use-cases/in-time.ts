/** Settles as `work` does. Rejects with `refusal()` where that has not come by `giveUpAt` (epoch ms): the work goes on. */
export async function inTime<T>(work: Promise<T>, giveUpAt: number, refusal: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(refusal()), Math.max(0, giveUpAt - Date.now()));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
