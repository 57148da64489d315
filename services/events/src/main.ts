import { runService } from '@joblisting/service-kit';
import { eventsService } from './service.ts';

await runService(eventsService);
