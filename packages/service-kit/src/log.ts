import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** Where the one line of each request goes. */
export type RequestLog = Pick<Log, 'info' | 'debug' | 'isLevelEnabled'>;

/**
 * For lines of fixed fields, which hold no secret: looking for one in each of them costs twice as much as writing
 * them does.
 */
export const requestLog = (log: Log, bindings: Readonly<Record<string, string>> = {}): RequestLog =>
  log.child(bindings, { redact: [] });

const SECOND_MS = 1000;
let second = -1;
let untilSecond = '';

/** As pino's own isoTime; lines of one second share most of the text, which else costs as much as the rest of a line. */
function timestamp(): string {
  const now = Date.now();
  const ms = now % SECOND_MS;
  if (now - ms !== second) {
    second = now - ms;
    untilSecond = `,"time":"${new Date(second).toISOString().slice(0, -'000Z'.length)}`;
  }
  return `${untilSecond}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
}

const WARN = 40;
const GATHERED_BYTES = 8192;
const GATHERED_MS = 100;

/**
 * Writes lines to standard output in groups, each within `GATHERED_MS`: a call to the system for each line costs a
 * twentieth of a request. A warning or an error goes out at once, with all before it, and so does what is there when the
 * process exits: a process that is killed may lose its last lines of `info`.
 */
function gathering(): { stream: DestinationStream; hooks: NonNullable<LoggerOptions['hooks']> } {
  const stream = pino.destination({ fd: 1, sync: true, minLength: GATHERED_BYTES });
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    // Not flushSync, which waits for the disk as well.
    stream.flush();
  };
  process.once('exit', flush);
  return {
    stream,
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args);
        if (level >= WARN) flush();
        else timer ??= setTimeout(flush, GATHERED_MS).unref();
      },
    },
  };
}

let gathered: ReturnType<typeof gathering> | undefined;

/** JSON lines by pino; pretty where a human looks at a terminal. Keys and secrets are redacted wherever they appear. */
export function createLog(service: string, level: string): Log {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp,
    redact: {
      paths: ['*.authorization', '*.secret', '*["consumer-api-key"]', '*["user-api-key"]', '*.password'],
      censor: '[redacted]',
    },
  };
  const forHuman = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  if (forHuman) {
    return pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true } } });
  }
  const { stream, hooks } = (gathered ??= gathering());
  return pino({ ...options, hooks }, stream);
}
