/** Something wrong with what the user gave: told in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
