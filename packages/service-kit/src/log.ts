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

/** JSON lines by pino; pretty where a human looks at a terminal. Keys and secrets are redacted wherever they appear. */
export function createLog(service: string, level: string): Log {
  const forHuman = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp,
    redact: {
      paths: ['*.authorization', '*.secret', '*["consumer-api-key"]', '*["user-api-key"]', '*.password'],
      censor: '[redacted]',
    },
    ...(forHuman && { transport: { target: 'pino-pretty', options: { singleLine: true } } }),
  });
}
