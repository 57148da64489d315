import { runService } from '../src/index.ts';

await runService({
  name: 'a-service',
  description: 'for tests',
  config: {},
  mongo: false,
  create: () => ({}),
});
