/** Finds the document of a lease, with `leader` and `leaseUntil`, if this replica may take or renew it. */
export function isFreeFor(leader: string, leaseMs: number) {
  const now = Date.now();
  return {
    $or: [
      { leader },
      { leader: { $exists: false } },
      { leaseUntil: { $lte: new Date(now) } },
      // The clock of the machine that wrote it is ahead.
      { leaseUntil: { $gt: new Date(now + 2 * leaseMs) } },
    ],
  };
}
