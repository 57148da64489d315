import { runService } from '@joblisting/service-kit';
import { shortlinkService } from './service.ts';

await runService(shortlinkService);
