import { runService } from '@joblisting/service-kit';
import { categoriesService } from './service.ts';

await runService(categoriesService);
