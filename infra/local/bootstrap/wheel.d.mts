import { Problem } from './terminal.mjs';

/** Python or pip is not on this machine. */
export class MissingPython extends Problem {}
