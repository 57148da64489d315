export { schedulerService } from './service.ts';
