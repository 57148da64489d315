/** Shows what takes longer than a second. */
export type Steps = {
  /** Runs `work` under a label; `note` takes how far it is. */
  run: <T>(label: string, work: (note: (text: string) => void) => Promise<T>) => Promise<T>;
};

export function createSteps(stream?: NodeJS.WriteStream): Steps;
