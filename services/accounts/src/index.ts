export { checkSecret } from './domain/secret.ts';
export { accountsService } from './service.ts';
