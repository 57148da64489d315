import { waitFor, type WaitOptions } from '@joblisting/testing';

/**
 * Checks again until nothing is found, for a limited time. Resolves to the last findings.
 * @throws the error of the check, if no check succeeded: that does not mean that nothing is wrong.
 */
export async function untilNone<T>(
  findWrong: () => Promise<readonly T[]>,
  options: WaitOptions,
): Promise<readonly T[]> {
  let wrong: readonly T[] = [];
  const isRight = async (): Promise<boolean> => {
    wrong = await findWrong();
    return wrong.length === 0;
  };
  try {
    await waitFor(isRight, options);
  } catch (error) {
    if (wrong.length === 0) throw error;
  }
  return wrong;
}
