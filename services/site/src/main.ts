import { runService } from '@joblisting/service-kit';
import { siteService } from './service.ts';

await runService(siteService);
