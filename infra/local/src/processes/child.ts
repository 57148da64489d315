import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../bootstrap/terminal.mjs';

/** How to run a program. */
export type Command = {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Consumes the output and resolves when all of it is stored. Without it the output is discarded. */
  readonly output?: (stdout: Readable, stderr: Readable) => Promise<void>;
};

/** A running program. */
export type Child = {
  readonly pid: number;
  /** Resolves when it ends, to a text such as `code 1` or `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Resolves when it has ended and its output is stored, which may take longer. */
  readonly outputStored: Promise<void>;
  /** Sends SIGTERM, and SIGKILL after the limit. */
  readonly end: (limitMs: number) => Promise<void>;
};

/** Grandchildren may keep the output open forever. */
const OUTPUT_LIMIT_MS = 1000;

/**
 * Starts a program in its own process group, so that Ctrl-C reaches only the supervisor, which ends programs in order.
 * @throws Problem when it cannot be started.
 */
export async function startChild(command: Command, guard: Guard): Promise<Child> {
  const child = spawn(command.file, command.args, {
    detached: true,
    env: command.env ?? process.env,
    stdio: command.output === undefined ? 'ignore' : ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const { pid } = await new Promise<{ pid: number }>((resolve, reject) => {
    child.once('spawn', () => resolve({ pid: child.pid as number }));
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      reject(new Problem(`${command.file} could not start (${code}).`));
    });
  });
  guard.watch(pid);
  void ended.then(() => guard.unwatch(pid));
  const { stdout, stderr } = child;
  const stored = stdout && stderr ? command.output?.(stdout, stderr) : undefined;
  const outputStored = ended.then(() =>
    Promise.race([stored, delay(OUTPUT_LIMIT_MS, undefined, { ref: false })]),
  );
  return {
    pid,
    ended,
    outputStored,
    end: async (limitMs) => {
      child.kill('SIGTERM');
      await Promise.race([ended, delay(limitMs, undefined, { ref: false })]);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Ends child processes that outlive this process. */
export type Guard = {
  watch: (pid: number) => void;
  unwatch: (pid: number) => void;
};

const graceSeconds = 3;

const script = `
trap '' HUP INT TERM
watched=
while read -r verb pid; do
  case $verb in
    watch) watched="$watched $pid" ;;
    unwatch) rest=; for each in $watched; do [ "$each" = "$pid" ] || rest="$rest $each"; done; watched=$rest ;;
  esac
done
[ -z "$watched" ] && exit
kill -TERM $watched; kill -CONT $watched
sleep ${graceSeconds}
kill -KILL $watched
`;

/**
 * Starts a shell that reads from a pipe of this process. However this process ends, the pipe closes, and the shell ends
 * every process that it still watches. On Windows the next start ends them instead.
 */
export function startGuard(): Guard {
  if (process.platform === 'win32') return { watch: () => {}, unwatch: () => {} };
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.stdin.on('error', () => {});
  shell.unref();
  return {
    watch: (pid) => void shell.stdin.write(`watch ${pid}\n`),
    unwatch: (pid) => void shell.stdin.write(`unwatch ${pid}\n`),
  };
}
