import { breaking, type Finding, note } from './findings.ts';

/** A removed operation. `sunset` as `YYYY-MM-DD`, if it was deprecated in the last release. */
export interface Removal {
  readonly pointer: string;
  readonly what: string;
  readonly why: string;
  readonly sunset: string | undefined;
}

/** A removal breaks unless its announced sunset has come. `today` as `YYYY-MM-DD`. */
export const judgeRemoval = ({ pointer, what, why, sunset }: Removal, today: string): Finding =>
  sunset !== undefined && sunset <= today
    ? note(pointer, what, `its sunset was ${sunset}`)
    : breaking(pointer, what, sunset === undefined ? why : `its sunset is only ${sunset}`);

/** A sunset that was announced may move to a later date, not to an earlier one. */
export const compareSunsets = (
  before: string | undefined,
  after: string | undefined,
  pointer: string,
): Finding[] =>
  before !== undefined && after !== undefined && after < before
    ? [breaking(pointer, `the sunset moved from ${before} to ${after}`, 'clients rely on the announced date')]
    : [];

export const todayInUtc = (): string => new Date().toISOString().slice(0, 10);
