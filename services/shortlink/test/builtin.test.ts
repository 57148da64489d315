import { describe } from '@jest/globals';
import { providerSuite } from './provider-suite.ts';
import { runShortlink } from './running-shortlink.ts';

describe('builtin', () => {
  providerSuite(async () => {
    const shortlink = await runShortlink();
    return { shortlink, stop: shortlink.stop };
  });
});
