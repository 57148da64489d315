export { shortlinkService } from './service.ts';
