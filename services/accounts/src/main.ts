import { runService } from '@joblisting/service-kit';
import { accountsService } from './service.ts';

await runService(accountsService);
