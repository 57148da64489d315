import { runService } from '../src/index.ts';

const say = (text: string) => async () => void process.stdout.write(`${text}\n`);

await runService({
  name: 'a-service',
  description: 'for tests',
  config: {},
  mongo: false,
  create: () => ({
    start: say('started first'),
    started: say('serves'),
    closing: say('closes its door'),
    stop: say('stopped last'),
  }),
});
