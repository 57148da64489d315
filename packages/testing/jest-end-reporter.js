const LIMIT_MS = 60_000;

/** Fails a run that does not end after its last test, because a suite has left something open: jest would wait for ever. */
export default class EndReporter {
  #isWatching;
  #limitMs;

  /** @param {{ limitMs?: number }} [options] how long after its last test a run may take to end */
  constructor({ watch, watchAll }, { limitMs = LIMIT_MS } = {}) {
    this.#isWatching = watch || watchAll;
    this.#limitMs = limitMs;
  }

  onRunComplete() {
    if (this.#isWatching) return;
    const giveUp = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`FAIL The tests have run, but something is left open: ${open}\n`);
      process.exit(1);
    };
    setTimeout(giveUp, this.#limitMs).unref();
  }
}
