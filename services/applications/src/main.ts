import { runService } from '@joblisting/service-kit';
import { applicationsService } from './service.ts';

await runService(applicationsService);
