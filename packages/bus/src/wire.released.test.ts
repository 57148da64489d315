import { describe, expect, it } from '@jest/globals';
import { lastRelease, lastReleased } from '@joblisting/contracts/released';
import type { Msg } from 'nats';
import { receivedMessage } from '../tools/received-message.ts';
import { headersOf, type Sample, type Wire, wireOfToday } from '../tools/wire-samples.ts';
import { decodeReply, decodeRequest } from './wire.ts';

const released = lastReleased('wire') as Wire;
const today = wireOfToday();

function messageOf(sample: Sample, more: Record<string, string> = {}): Msg {
  const headers = headersOf(sample);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  return receivedMessage(headers.encode(), sample.payload);
}

const indexed = (samples: readonly Sample[]) => samples.map((sample, index) => [index, sample] as const);
const isJson = (text: string): boolean => text.startsWith('{');

/** What a reader of the last release looks for must be there, with the same value; there may be more. */
function expectToHold(sample: Sample | undefined, old: Sample): void {
  if (!sample) throw new Error('this kind of message is not written any more');
  const [headers, expected] = [headersOf(sample), headersOf(old)];
  for (const name of expected.keys()) {
    const [value, wanted] = [headers.get(name), expected.get(name)];
    if (isJson(wanted)) expect([name, JSON.parse(value)]).toMatchObject([name, JSON.parse(wanted)]);
    else expect([name, value]).toEqual([name, wanted]);
  }
  expect(JSON.parse(sample.payload)).toMatchObject(JSON.parse(old.payload));
}

describe(`on the bus beside ${lastRelease().version}`, () => {
  it.each(indexed(released.requests))(
    'request %i of the last release is read as it was meant',
    (_, sample) => {
      const { body, ...read } = decodeRequest(messageOf(sample));
      expect(read).toMatchObject(sample.means as object);
      expect(new TextDecoder().decode(body)).toBe(sample.payload);
    },
  );

  it.each(indexed(released.replies))('reply %i of the last release is read as it was meant', (_, sample) => {
    expect(decodeReply(messageOf(sample))).toMatchObject(sample.means as object);
  });

  it.each(indexed(released.requests))(
    'request %i is written so that the last release can read it',
    (i, old) => {
      expectToHold(today.requests[i], old);
    },
  );

  it.each(indexed(released.replies))('reply %i is written so that the last release can read it', (i, old) => {
    expectToHold(today.replies[i], old);
  });
});

describe('what a later release may add', () => {
  it.each(indexed(today.requests))('request %i: a header that is not known here is ignored', (_, sample) => {
    const read = decodeRequest(messageOf(sample, { 'From-Tomorrow': 'yes' }));
    expect(read).toMatchObject(sample.means as object);
  });

  it('a reply: so are a header, and a field beside those that are known', () => {
    const [sample] = today.replies;
    if (!sample) throw new Error('no sample');
    const meta = { ...JSON.parse(headersOf(sample).get('Reply')), tomorrow: { is: 'another day' } };
    const message = messageOf(sample, { 'From-Tomorrow': 'yes', Reply: JSON.stringify(meta) });
    expect(decodeReply(message)).toMatchObject(sample.means as object);
  });
});
