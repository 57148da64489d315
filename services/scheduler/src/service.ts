import type { ServiceDefinition } from '@joblisting/service-kit';
import { schedule, type ScheduledTask } from 'node-cron';
import { transitionPublisher } from './transition-publisher.ts';

const EVERY_SECOND = '* * * * * *';

/** Cron does not replay ticks that it missed, so each tick publishes all that is due. */
export const schedulerService: ServiceDefinition<unknown> = {
  name: 'scheduler',
  description: 'Publishes transition.due at each 12:00 UTC',
  config: {},
  mongo: false,
  create: ({ bus, clock, log }) => {
    const publisher = transitionPublisher(bus, clock, log);
    let heartbeat: ScheduledTask | undefined;
    return {
      start: publisher.publishDue,
      started: () => {
        heartbeat = schedule(EVERY_SECOND, publisher.publishDue, {
          timezone: 'UTC',
          suppressMissedWarning: true,
        });
        return Promise.resolve();
      },
      stop: async () => {
        await heartbeat?.destroy();
        await publisher.whenIdle();
      },
    };
  },
};
