import type { ConfigOf } from '@joblisting/service-kit';
import { Type } from 'typebox';

/** What this service reads from the environment besides the common settings. */
export const eventsConfig = {
  EVENT_RETENTION_DAYS: Type.Integer({
    default: 30,
    // Longer than the streams keep their messages: a message that comes again must still be known.
    minimum: 8,
    maximum: 3650,
    description: 'How long the change log keeps events. An older cursor is answered with 410.',
  }),
};

export type EventsConfig = ConfigOf<typeof eventsConfig>;
