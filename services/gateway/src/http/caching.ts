/** Answers to keys: only their owner may keep them, and checks before using them (API decisions, "Caching"). */
export const PRIVATE = 'private, no-cache';
/** Answers to anyone. */
export const PUBLIC = 'public, no-cache';
