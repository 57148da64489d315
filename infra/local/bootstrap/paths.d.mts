/** The top of the repository. */
export const root: string;
