export type { Network } from './clients/receiver.ts';
export { eventsService, eventsServiceOn } from './service.ts';
