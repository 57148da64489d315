import { type Fleet, persistently, type ServiceProcess } from '@joblisting/testing/system';
import { none, type Figure } from '../figures.ts';
import type { Victim } from '../faults.ts';
import type { Server } from './servers.ts';

export const serviceVictim = (service: ServiceProcess): Victim => ({
  name: service.name,
  kill: () => service.kill('SIGKILL'),
  restart: () => persistently(service.restart),
});

export const serverVictim = (name: string, server: Server): Victim => ({
  name,
  kill: server.kill,
  restart: server.restart,
});

/** The processes that ended without a kill. */
export const crashedProcesses = (services: readonly ServiceProcess[]): string[] =>
  services.filter(({ pid }) => pid() === undefined).map(({ name, log }) => `${name}: ${log().slice(-300)}`);

export const noneCrashed = (fleet: Fleet): Figure =>
  none('Processes that ended by themselves', crashedProcesses(fleet.all()), String(fleet.all().length));
