import { constants, getPriority, setPriority } from 'node:os';

/** As much as a service that owns data, in the sense of nice(1). */
const GIVES_WAY = 10;

/** Elsewhere a server has a machine of its own, and takes no turn from the services that speak to clients. */
export function giveWay(pid: number): void {
  setPriority(pid, Math.min(getPriority() + GIVES_WAY, constants.priority.PRIORITY_LOW));
}
