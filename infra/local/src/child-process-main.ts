import type { SeedOptions } from './seed/seed.ts';
import { Problem } from '../bootstrap/problem.mjs';

const works = {
  becomePrimary: async (uri: string, port: number) =>
    (await import('./servers/replica-set.ts')).becomePrimary(uri, port),
  unusable: async (uri: string) => (await import('./servers/replica-set.ts')).unusable(uri),
  busAccess: async (dataDir: string) => (await import('./servers/bus-access.ts')).busAccess(dataDir),
  makeStreams: async (url: string, dataDir: string) =>
    (await import('./servers/bus-access.ts')).makeStreams(url, dataDir),
  seedDemo: async (options: SeedOptions) => (await import('./seed/seed.ts')).seedDemo(options),
};

export type Works = typeof works;

/** What the process says before it ends. */
export type Done<N extends keyof Works> =
  | { readonly answer: Awaited<ReturnType<Works[N]>> }
  | { readonly failure: Error; readonly isProblem: boolean };

type Work = (...args: readonly unknown[]) => Promise<unknown>;
type Order = { readonly name: keyof Works; readonly args: readonly unknown[] };

// Whoever asked is gone.
process.once('disconnect', () => process.exit());
process.once('message', ({ name, args }: Order) => void run(works[name] as Work, args));

async function run(work: Work, args: readonly unknown[]): Promise<void> {
  const done = await work(...args).then(
    (answer) => ({ answer }),
    (failure: unknown) => ({ failure, isProblem: failure instanceof Problem }),
  );
  process.send?.(done, undefined, undefined, () => process.exit());
}
