import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Where the one line of each request goes. */
export type RequestLog = Pick<Log, 'info' | 'debug' | 'isLevelEnabled'>;

/**
 * For lines of fixed fields, which hold no secret: looking for one in each of them costs twice as much as writing
 * them does.
 */
export const requestLog = (log: Log, bindings: Readonly<Record<string, string>> = {}): RequestLog =>
  log.child(bindings, { redact: [] });

/** JSON lines by pino; pretty where a human looks at a terminal. Keys and secrets are redacted wherever they appear. */
export function createLog(service: string, level: string): Log {
  const forHuman = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['*.authorization', '*.secret', '*["consumer-api-key"]', '*["user-api-key"]', '*.password'],
      censor: '[redacted]',
    },
    ...(forHuman && { transport: { target: 'pino-pretty', options: { singleLine: true } } }),
  });
}
