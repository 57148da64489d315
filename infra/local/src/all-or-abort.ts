/** Waits for all. When one fails, it aborts the others, waits for their end and rejects. */
export async function allOrAbort<const T extends readonly Promise<unknown>[]>(
  signal: AbortSignal,
  start: (own: AbortSignal) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const failed = new AbortController();
  const all = start(AbortSignal.any([signal, failed.signal]));
  try {
    return await Promise.all(all);
  } catch (error) {
    failed.abort();
    await Promise.allSettled(all);
    throw error;
  }
}
