/** Where the replies to a user of the bus come in (its name, or the service's): nobody else may listen there. */
export const inboxPrefixOf = (user: string): string => `_INBOX_${user}`;
