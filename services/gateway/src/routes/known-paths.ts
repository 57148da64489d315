import type { KnownPath } from '../http/not-found.ts';
import type { Row } from './row.ts';

/** The paths of the table. One needs keys as soon as any of its operations does. */
export function knownPathsOf(table: readonly Row[], basePath: string): KnownPath[] {
  return [...Map.groupBy(table, ({ path }) => path)].map(([path, rows]) => ({
    template: basePath + path,
    methods: rows.map(({ method }) => method),
    keys: rows.map(({ access }) => access.keys).find((keys) => keys !== 'none') ?? 'none',
  }));
}
