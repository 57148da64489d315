import { runService } from '@joblisting/service-kit';
import { jobsService } from './service.ts';

await runService(jobsService);
