export { siteService } from './service.ts';
