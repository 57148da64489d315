import type { ServiceDefinition } from '@joblisting/service-kit';

export const applicationsService: ServiceDefinition<object> = {
  name: 'applications',
  description: 'Applications with their files, and copies of them by e-mail',
  config: {},
  mongo: true,
  create: () => ({}),
};
