/** Resolves when all have ended, whatever became of the others; rejects then as the first of them that failed. */
export async function allEnded(underWay: readonly Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(underWay);
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
