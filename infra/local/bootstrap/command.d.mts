/** Calls back once npm, which started this process, is gone; undefined where npm did not. */
export function onOrphaned(callback: () => void): NodeJS.Timeout | undefined;
