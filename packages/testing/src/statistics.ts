/** The quantile of the values; 0 if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

/** Quantiles of times as text, such as `12 ms, 30 ms`. */
export const showQuantiles = (times: readonly number[], parts: readonly number[]): string =>
  parts.map((part) => `${quantile(times, part).toFixed(0)} ms`).join(', ');

/** How often each text occurs, as `200: 17, 503: 2`. */
export function tally(values: readonly (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${value}: ${count}`).join(', ');
}

/** The slope of the regression line through the points (least squares). */
export function slope(points: readonly { readonly x: number; readonly y: number }[]): number {
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length;
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread;
}

/** The lowest figure of the rounds. */
export const least = <T>(rounds: readonly T[], figure: (round: T) => number): number =>
  Math.min(...rounds.map(figure));

export const most = <T>(rounds: readonly T[], figure: (round: T) => number): number =>
  Math.max(...rounds.map(figure));

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
