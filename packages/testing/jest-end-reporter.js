const LIMIT_MS = 60_000;

/** Fails a run that does not end after its last test: jest would wait without limit for what a suite left open. */
export default class EndReporter {
  #isWatching;
  #limitMs;

  /** @param {{ limitMs?: number }} [options] how long a run may take to end after its last test */
  constructor({ watch, watchAll }, { limitMs = LIMIT_MS } = {}) {
    this.#isWatching = watch || watchAll;
    this.#limitMs = limitMs;
  }

  onRunComplete() {
    if (this.#isWatching) return;
    const fail = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`FAIL The tests have finished, but something is still open: ${open}\n`);
      process.exit(1);
    };
    setTimeout(fail, this.#limitMs).unref();
  }
}
