import type { ServiceProcess } from '@joblisting/testing/system';
import { none, type Figure } from '../figures.ts';
import type { Victim } from '../faults.ts';
import { type Fleet, persistently } from '@joblisting/testing/system';
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

/** Processes that have ended though nobody killed them. */
export const endedByThemselves = (services: readonly ServiceProcess[]): string[] =>
  services.filter(({ pid }) => pid() === undefined).map(({ name, log }) => `${name}: ${log().slice(-300)}`);

export const noneGaveUp = (fleet: Fleet): Figure =>
  none('Processes that gave up', endedByThemselves(fleet.all()), String(fleet.all().length));
