import type { ServiceProcess } from '@joblisting/e2e/harness';
import type { Victim } from '../faults.ts';
import type { Server } from './servers.ts';

export const serviceVictim = (service: ServiceProcess): Victim => ({
  name: service.name,
  kill: () => service.kill('SIGKILL'),
  restart: service.restart,
});

export const serverVictim = (name: string, server: Server): Victim => ({
  name,
  kill: server.kill,
  restart: server.restart,
});

/** Processes that have ended though nobody killed them. */
export const endedByThemselves = (services: readonly ServiceProcess[]): string[] =>
  services.filter(({ pid }) => pid() === undefined).map(({ name, log }) => `${name}: ${log().slice(-300)}`);
