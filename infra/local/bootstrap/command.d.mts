/** Calls back when npm, which started this process, has ended. Returns undefined without npm. */
export function onOrphaned(callback: () => void): NodeJS.Timeout | undefined;

/** The command that installs a package on this machine. */
export function installCommand(
  packages: { debian: string; fedora: string; arch: string; brew: string },
  isInstalled?: (program: string) => boolean,
): string;
