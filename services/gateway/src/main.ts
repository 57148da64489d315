import { runService } from '@joblisting/service-kit';
import { gatewayService } from './service.ts';

await runService(gatewayService);
