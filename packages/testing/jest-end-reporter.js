const LIMIT_MS = 60_000;

/** Fails a run that does not end after its last test, because a suite has left something open: jest would wait for ever. */
export default class EndReporter {
  #limitMs;

  /** @param {{ limitMs?: number }} [options] how long after its last test a run may take to end */
  constructor(_globalConfig, { limitMs = LIMIT_MS } = {}) {
    this.#limitMs = limitMs;
  }

  onRunComplete() {
    const giveUp = () => {
      const open = process.getActiveResourcesInfo().join(', ');
      process.stderr.write(`FAIL The tests have run, but something is left open: ${open}\n`);
      process.exit(1);
    };
    setTimeout(giveUp, this.#limitMs).unref();
  }
}
