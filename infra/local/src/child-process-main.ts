import type { SeedOptions } from './seed/seed.ts';
import { Problem } from '../bootstrap/terminal.mjs';

const tasks = {
  becomePrimary: async (uri: string, port: number, dataDir: string) =>
    (await import('./servers/replica-set.ts')).becomePrimary(uri, port, dataDir),
  whyUnusable: async (uri: string) => (await import('./servers/replica-set.ts')).whyUnusable(uri),
  busAuthorization: async (dataDir: string) =>
    (await import('./servers/bus-access.ts')).busAuthorization(dataDir),
  createStreams: async (url: string, dataDir: string) =>
    (await import('./servers/bus-access.ts')).createStreams(url, dataDir),
  issueSiteKey: async (natsUrl: string, environment: NodeJS.ProcessEnv) =>
    (await import('./seed/keys.ts')).issueSiteKey(natsUrl, environment),
  seedDemo: async (options: SeedOptions) => (await import('./seed/seed.ts')).seedDemo(options),
};

export type Tasks = typeof tasks;

/** The message that the process sends before it exits. */
export type Outcome<N extends keyof Tasks> =
  | { readonly answer: Awaited<ReturnType<Tasks[N]>> }
  | { readonly failure: Error; readonly isProblem: boolean };

type Task = (...args: readonly unknown[]) => Promise<unknown>;
type Request = { readonly name: keyof Tasks; readonly args: readonly unknown[] };

// The parent has ended.
process.once('disconnect', () => process.exit());
process.once('message', ({ name, args }: Request) => void run(tasks[name] as Task, args));

async function run(task: Task, args: readonly unknown[]): Promise<void> {
  const outcome = await task(...args).then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure, isProblem: failure instanceof Problem }),
  );
  process.send?.(outcome, undefined, undefined, () => process.exit());
}
