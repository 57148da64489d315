import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** The log for the one line of each request. */
export type RequestLog = Pick<Log, 'info' | 'debug' | 'isLevelEnabled'>;

/** For lines of fixed fields, which hold no secret: redacting costs more than writing them. */
export const requestLog = (log: Log, bindings: Readonly<Record<string, string>> = {}): RequestLog =>
  log.child(bindings, { redact: [] });

const WARN = 40;

/**
 * Standard output in chunks of up to 8 KB: one system call per line would cost a twentieth of a request. A warning or
 * an error goes out at once, with all lines before it; a process that is killed can lose 100 ms of `info` lines.
 */
function bufferedOutput(): { stream: DestinationStream; hooks: NonNullable<LoggerOptions['hooks']> } {
  const stream = pino.destination({ fd: 1, sync: true, minLength: 8192, periodicFlush: 100 });
  process.once('exit', () => stream.flush());
  return {
    stream,
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, args);
        if (level >= WARN) stream.flush();
      },
    },
  };
}

/** MongoDB's errors carry the documents that were written, and key values after `dup key`. */
function describeError(error: unknown): unknown {
  if (!Error.isError(error)) return error;
  if (!error.name.startsWith('Mongo')) return pino.stdSerializers.err(error);
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const message = error.message.replace(/dup key:.*/s, 'dup key');
  const stack = error.stack?.replace(error.message, message);
  return { type: error.name, message, code, codeName, stack };
}

let output: ReturnType<typeof bufferedOutput> | undefined;

/** JSON lines; pretty on a terminal. Keys and secrets are redacted. */
export function createLog(service: string, level: string): Log {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: ['*.authorization', '*.secret', '*["consumer-api-key"]', '*["user-api-key"]', '*.password'],
      censor: '[redacted]',
    },
  };
  const isTerminal = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  if (isTerminal) {
    return pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true } } });
  }
  const { stream, hooks } = (output ??= bufferedOutput());
  return pino({ ...options, hooks }, stream);
}
