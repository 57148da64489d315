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
  if (parsed === undefined) return `${service}: ${withoutName(service, line)}`;
  const { level = 0, time, msg = '', err } = parsed;
  if (level < warn) return undefined;
  const at = new Date(time ?? 0).toTimeString().slice(0, 8);
  const text = err?.message === undefined ? msg : `${msg}: ${err.message}`;
  return `${at} ${service} ${names[level] ?? `level ${level}`}: ${once(text)}`;
}

/** A line that names its service, without that: what a service prints of wrong settings begins with its name. */
export function withoutName(service: string, line: string): string {
  return line.startsWith(`${service}: `) ? line.slice(service.length + 2) : line;
}

/** pino appends the message of every cause of an error: a driver that wraps one in another says it again. */
function once(text: string): string {
  return text.replace(/(^|: )(.+?)(?:: \2)+$/s, '$1$2');
}

function parse(line: string): LogLine | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}
