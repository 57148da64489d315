import type { Bus } from '@joblisting/bus';
import { schedulerStream, transitionDue } from '@joblisting/contracts';
import { background, type Log } from '@joblisting/service-kit';

/** Every replica runs each of them: several at once do no harm. Those that are undefined are turned off. */
export interface Tasks {
  readonly sendCopies: (() => Promise<void>) | undefined;
  readonly scanFiles: (() => Promise<void>) | undefined;
  readonly eraseExpired: () => Promise<void>;
}

/** One index probe if nothing is due. */
const COPIES_EVERY_MS = 1000;
const SCAN_EVERY_MS = 1000;
const ERASE_EVERY_MS = 3600_000;

export interface RunningTasks {
  /** Asks for a run of what follows a stored application. */
  readonly trigger: () => void;
  /** Resolves once nothing is under way. */
  readonly stop: () => Promise<void>;
}

/** Starts what no request asks for. The scheduler's event is one more reason to erase what is over. */
export function startTasks(tasks: Tasks, bus: Bus, log: Log): RunningTasks {
  const { sendCopies, scanFiles } = tasks;
  const erasing = background('erase expired applications', ERASE_EVERY_MS, tasks.eraseExpired, log);
  const following = [
    ...(scanFiles ? [background('scan files', SCAN_EVERY_MS, scanFiles, log)] : []),
    ...(sendCopies ? [background('send e-mail copies', COPIES_EVERY_MS, sendCopies, log)] : []),
  ];
  const repeated = [...following, erasing];
  const consuming = bus.consume(transitionDue, {
    durable: 'applications',
    batch: 10,
    // Acknowledged at once: a run that takes long would be asked for again, here and elsewhere.
    handle: async () => erasing.trigger(),
    onError: (err) =>
      log.warn({ err, stream: schedulerStream.name }, 'consuming failed; it will be tried again'),
  });
  return {
    trigger: () => {
      for (const task of following) task.trigger();
    },
    stop: async () => {
      await Promise.all([consuming.stop(), ...repeated.map((task) => task.stop())]);
    },
  };
}
