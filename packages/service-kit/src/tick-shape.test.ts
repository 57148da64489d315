import { describe, expect, it } from '@jest/globals';
import { executionAsyncResource } from 'node:async_hooks';
import { nextTick } from 'node:process';
import { keepTickShape, keptTick } from './tick-shape.ts';

const keysOf = (tick: object | undefined) => tick && Reflect.ownKeys(tick);

describe('what is kept of a tick', () => {
  it('has the shape of the next one', async () => {
    keepTickShape();
    const next = await new Promise<object>((resolve) => {
      nextTick(() => resolve(executionAsyncResource()));
    });
    expect(keysOf(keptTick())).toEqual(keysOf(next));
    expect(keysOf(next)).toContain('callback');
  });
});
