import { waitFor } from '@joblisting/testing';

/** Returns a function that waits until the log has so many lines with this message, and parses them. */
export const linesOf = (log: () => string) => (msg: string, count: number) =>
  waitFor(
    () => {
      const found = log()
        .split('\n')
        .filter((line) => line.includes(`"msg":"${msg}"`))
        .map((line) => JSON.parse(line));
      return found.length >= count ? found : undefined;
    },
    { what: `${count} lines of ${msg}` },
  );
