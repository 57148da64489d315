import { type Logger, pino } from 'pino';

export type Log = Logger;

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
