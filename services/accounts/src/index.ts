export { accountsService } from './service.ts';
