import { SingleBar } from 'cli-progress';
import { processedIn } from './tally.ts';
import type { Tally } from './tally.ts';

interface Progress {
  readonly show: (tally: Tally) => void;
  readonly stop: () => void;
}

/** Shows nothing: for pipes and log files. */
export const noProgress: Progress = { show: () => undefined, stop: () => undefined };

/** A bar with the rate since the start and the counts so far. */
export function progressBar(total: number, stream: NodeJS.WritableStream, now: () => number): Progress {
  const bar = new SingleBar({
    format: '{bar} {value}/{total} · {rate}/s · {created} created · {refused} refused · {eta_formatted} left',
    stream,
    hideCursor: true,
    clearOnComplete: true,
  });
  const startedAt = now();
  bar.start(total, 0, { rate: 0, created: 0, refused: 0 });
  return {
    show: (tally) => {
      const rate = Math.round(processedIn(tally) / Math.max((now() - startedAt) / 1000, 0.001));
      bar.update(processedIn(tally), { rate, created: tally.created, refused: tally.refused });
    },
    stop: () => bar.stop(),
  };
}
