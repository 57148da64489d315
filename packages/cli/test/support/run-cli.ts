import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../src/program.ts';
import type { Terminal } from '../../src/terminal.ts';

/** The time of the tests. */
export const NOW = Date.UTC(2025, 10, 21, 12);

export interface CliResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function workingDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'cli-test-'));
}

export function writeLines(path: string, lines: readonly unknown[]): string {
  writeFileSync(
    path,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return path;
}

function sink(): { stream: Writable; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

/** Runs one command line in this process. */
export async function runCli(args: readonly string[], terminal: Partial<Terminal> = {}): Promise<CliResult> {
  const [stdout, stderr] = [sink(), sink()];
  const exitCode = await runProgram(args, {
    stdin: Readable.from([]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    interactive: false,
    environment: {},
    dataDirectory: '/nowhere',
    now: () => NOW,
    onInterrupt: () => () => undefined,
    ...terminal,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}
