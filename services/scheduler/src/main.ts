import { runService } from '@joblisting/service-kit';
import { schedulerService } from './service.ts';

await runService(schedulerService);
