import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major' | 'minor' }) => void;

let collect: Collect | undefined;

/** Collects the young generation, or all of the heap. */
export function collectGarbage(type: 'major' | 'minor'): void {
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as Collect;
  collect({ type });
}

/** Bytes of objects, dead or alive, that have survived into the old generation. */
export const oldGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
