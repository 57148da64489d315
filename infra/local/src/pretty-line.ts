type LogLine = {
  level?: number;
  time?: number | string;
  msg?: string;
  err?: { message?: string };
};

/** pino's number of the least level that is shown. */
const warn = 40;
const names: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * One line of a service's output for a person, or nothing when it need not be shown: warnings and worse are,
 * and whatever is no log line, such as the trace of a crash.
 */
export function prettyLine(service: string, line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const parsed = parse(line);
  if (parsed === undefined) return `${service}: ${line}`;
  const { level = 0, time, msg = '', err } = parsed;
  if (level < warn) return undefined;
  const at = new Date(time ?? 0).toTimeString().slice(0, 8);
  const cause = err?.message === undefined || err.message === msg ? '' : `: ${err.message}`;
  return `${at} ${service} ${names[level] ?? `level ${level}`}: ${msg}${cause}`;
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
