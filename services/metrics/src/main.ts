import { runService } from '@joblisting/service-kit';
import { metricsService } from './service.ts';

await runService(metricsService);
