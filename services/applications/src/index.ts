export { applicationsService } from './service.ts';
