import { overloaded } from '@joblisting/contracts';
import { semaphore, withTimeout } from '@joblisting/service-kit';
import { HTML_SLICE, type HtmlVerdict, htmlVerdict, judgeInSlices } from '../domain/html.ts';
import { lastStart } from '../store/retry-on-conflict.ts';

/** Judges an html description without holding up other requests. `deadline` in epoch milliseconds. */
export type JudgeHtml = (html: string, deadline: number) => Promise<HtmlVerdict>;

/**
 * Judges long descriptions in slices, one description at a time: concurrency would only delay all of them. Rejects with
 * `overloaded` if there is no time left for one.
 */
export function htmlJudge(): JudgeHtml {
  const oneAtATime = semaphore(1);

  const inSlices = async (html: string, deadline: number): Promise<HtmlVerdict> => {
    const slices = judgeInSlices(html);
    for (;;) {
      if (Date.now() >= lastStart(deadline)) throw busy();
      const slice = slices.next();
      if (slice.done) return slice.value;
      await new Promise(setImmediate);
    }
  };

  return (html, deadline) =>
    html.length <= HTML_SLICE
      ? Promise.resolve(htmlVerdict(html))
      : withTimeout(
          oneAtATime(() => inSlices(html, deadline)),
          lastStart(deadline) - Date.now(),
          busy,
        );
}

const busy = () => overloaded('service_concurrency', 'Too many long descriptions are being read at once.');
