/** An error that the user can fix. Shown without a stack. */
export class Problem extends Error {}

export type Steps = {
  /** Runs `work` and shows its label when it is slow; `note` takes its progress. */
  run: <T>(label: string, work: (note: (text: string) => void) => Promise<T>) => Promise<T>;
};

/** Shows steps that take longer than a second. */
export function createSteps(stream?: NodeJS.WriteStream): Steps;
