export { eventsService } from './service.ts';
