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
