const ERROR = 50;

/**
 * Takes what a service logs, as it comes, and tells each whole line of level error or above (a line is one JSON
 * object of pino). Faults are met with warnings, so an error is something that nobody foresaw.
 */
export function errorLines(tell: (line: string) => void): (text: string) => void {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (levelOf(line) >= ERROR) tell(line);
  };
}

const levelOf = (line: string): number => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0);
