import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major' | 'minor' }) => void;

/** Bytes of objects, dead or alive, that have survived into the old generation. */
const oldGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/**
 * The most bytes that so many turns of some work leave in the old generation, with the young one collected after each.
 * What is there before has grown old first, as anything has that meets a collection of the whole heap.
 */
export async function mostGrownOld(
  turns: number,
  work: (turn: number) => Promise<void> | void,
): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as Collect;
  collect({ type: 'major' });
  const before = oldGenerationBytes();
  let most = before;
  for (let turn = 0; turn < turns; turn++) {
    await work(turn);
    collect({ type: 'minor' });
    most = Math.max(most, oldGenerationBytes());
  }
  return most - before;
}
