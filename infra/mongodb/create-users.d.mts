export const databases: readonly string[];
export function createUsers(env: Readonly<Record<string, string | undefined>>): Promise<void>;
