/** The quantile of the values, 0 if there are none. Sorts in place. */
export function quantile(values: Float64Array | number[], part: number): number {
  values.sort((one, other) => one - other);
  return values[Math.min(values.length - 1, Math.ceil(values.length * part) - 1)] ?? 0;
}

/** The least `figure` of the rounds. */
export const least = <T>(rounds: readonly T[], figure: (round: T) => number): number =>
  Math.min(...rounds.map(figure));

export const most = <T>(rounds: readonly T[], figure: (round: T) => number): number =>
  Math.max(...rounds.map(figure));

export const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};
