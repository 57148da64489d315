/** The quantile of the values; 0 if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

/** Quantiles of times as text, such as `12 ms, 30 ms`. */
export const showQuantiles = (times: readonly number[], parts: readonly number[]): string =>
  parts.map((part) => `${quantile(times, part).toFixed(0)} ms`).join(', ');
