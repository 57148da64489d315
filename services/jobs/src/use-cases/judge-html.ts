import { setImmediate } from 'node:timers/promises';
import { overloaded, type Violation } from '@joblisting/contracts';
import { HTML_SLICE, htmlViolations, judgeInSlices } from '../domain/html.ts';
import { turns } from './in-turn.ts';
import { lastBegin } from './writes.ts';

/** Judges an html description without holding up other requests. `deadline` in epoch milliseconds. */
export type JudgeHtml = (html: string, deadline: number) => Promise<readonly Violation[]>;

/**
 * Long descriptions are judged in slices, one description at a time: more at once would only all take longer.
 * Rejects with `overloaded` where there is no time left for one.
 */
export function htmlJudge(): JudgeHtml {
  const inTurn = turns();

  const inSlices = async (html: string, deadline: number): Promise<readonly Violation[]> => {
    const slices = judgeInSlices(html);
    for (;;) {
      const slice = slices.next();
      if (slice.done) return slice.value;
      await setImmediate();
      if (Date.now() >= lastBegin(deadline)) throw busy();
    }
  };

  return (html, deadline) =>
    html.length <= HTML_SLICE
      ? Promise.resolve(htmlViolations(html))
      : inTurn('html', lastBegin(deadline), busy, () => inSlices(html, deadline));
}

const busy = () => overloaded('service_concurrency', 'Too many long descriptions are being read at once.');
