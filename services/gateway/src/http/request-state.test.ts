import { describe, expect, it } from '@jest/globals';
import { readTraceparent } from '@joblisting/service-kit';
import { continueTrace } from './request-state.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const next = (sent: unknown) => continueTrace(readTraceparent(sent));

describe('continueTrace', () => {
  it.each([
    `00-${trace}-${span}-01`,
    `00-${trace}-${span}-00`,
    `cc-${trace}-${span}-01`,
    `cc-${trace}-${span}-01-what-comes-later`,
  ])('goes on with %s, unrecorded', (sent) => {
    const [version, traceId, spanId, sentFlags] = next(sent).split('-');
    expect([version, traceId, sentFlags]).toEqual(['00', trace, '00']);
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(spanId).not.toBe(span);
  });

  it.each([
    undefined,
    '',
    ['a', 'b'],
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}`,
  ])('starts anew for %j', (sent) => {
    expect(next(sent)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(next(sent)).not.toContain(trace);
  });
});
