import type { Steps } from './terminal.mjs';

export interface PythonTools {
  readonly name: string;
  readonly requirements: string;
  readonly program: string;
  readonly bytes: number;
  readonly oldestMinor: number;
}

/** Fetches programs in Python packages. Returns the interpreter, the program and the folder of the packages. */
export function findPythonTools(steps: Steps, tools: PythonTools): Promise<[string, string, string]>;
