/** The root of the repository. */
export const root: string;

/** Downloads. Safe to delete at any time. */
export const cache: string;
