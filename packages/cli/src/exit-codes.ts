/** How a command ends: `notAll` where some postings were refused or the command was. */
export const exitCodes = { done: 0, notAll: 1, usage: 2, interrupted: 130 } as const;
