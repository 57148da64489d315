/** The root of the repository. */
export const root: string;
