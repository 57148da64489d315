/** An error that the user can fix. Shown without a stack. */
export class Problem extends Error {}

const quietMs = 1000;
const redrawMs = 200;
const repeatMs = 10_000;

/** Shows steps that take longer than a second: one redrawn line on a terminal, else a line every 10 s. */
export function createSteps(stream = process.stderr) {
  const active = new Set();
  let timer;

  const seconds = (step) => `${((performance.now() - step.since) / 1000).toFixed(1)} s`;
  const describe = (step) => `${step.label}${step.note === '' ? '' : ` ${step.note}`} (${seconds(step)})`;
  const slow = () => [...active].filter((step) => performance.now() - step.since >= quietMs);

  const draw = () => {
    if (stream.isTTY) {
      const line = slow().map(describe).join(' · ');
      if (line !== '') stream.write(`\r\x1b[K${line.slice(0, (stream.columns ?? 80) - 1)}`);
      return;
    }
    for (const step of slow()) {
      if (performance.now() < step.nextLine) continue;
      step.nextLine = performance.now() + repeatMs;
      stream.write(`${step.shown ? describe(step) : `${step.label} ...`}\n`);
      step.shown = true;
    }
  };

  const finish = (step, outcome) => {
    active.delete(step);
    if (active.size === 0) clearInterval(timer);
    if (performance.now() - step.since < quietMs) return;
    stream.write(`${stream.isTTY ? '\r\x1b[K' : ''}${step.label}: ${outcome} after ${seconds(step)}\n`);
  };

  return {
    async run(label, work) {
      const step = { label, note: '', since: performance.now(), nextLine: 0, shown: false };
      if (active.size === 0) {
        timer = setInterval(draw, redrawMs);
        timer.unref();
      }
      active.add(step);
      try {
        const result = await work((text) => {
          step.note = text;
        });
        finish(step, 'done');
        return result;
      } catch (error) {
        finish(step, 'failed');
        throw error;
      }
    },
  };
}
