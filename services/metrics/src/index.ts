export { metricsService } from './service.ts';
