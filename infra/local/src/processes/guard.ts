import { spawn } from 'node:child_process';

/** Ends what this process leaves behind. */
export type Guard = {
  watch: (pid: number) => void;
  forget: (pid: number) => void;
};

/** How long orphans get between the polite signal and the last one, in seconds. */
const graceSeconds = 3;

const script = `
trap '' HUP INT TERM
watched=
while read -r verb pid; do
  case $verb in
    watch) watched="$watched $pid" ;;
    forget) kept=; for each in $watched; do [ "$each" = "$pid" ] || kept="$kept $each"; done; watched=$kept ;;
  esac
done
[ -z "$watched" ] && exit
kill -TERM $watched; kill -CONT $watched
sleep ${graceSeconds}
kill -KILL $watched
`;

/**
 * Starts a shell that waits on a pipe which only this process holds. When this process ends, however it ends,
 * the pipe closes and the shell ends every process that it still watches. Where there is no such shell, the
 * next start finds the leftovers.
 */
export function startGuard(): Guard {
  if (process.platform === 'win32') return { watch: () => {}, forget: () => {} };
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`watch ${pid}\n`),
    forget: (pid) => void shell.stdin.write(`forget ${pid}\n`),
  };
}
