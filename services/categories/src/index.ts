export { categoriesService } from './service.ts';
