import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Event, metricsReported, schedulerStream, transitionDue } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { connect } from 'nats';
import type { Bus } from '../src/index.ts';
import { type RunningBus, runBus } from './running-bus.ts';

let running: RunningBus;
let bus: Bus;
beforeAll(async () => {
  running = await runBus();
  bus = await running.connect();
  await bus.ensureStream(schedulerStream);
});
afterAll(() => running.stop());

describe('ensureStream', () => {
  it('may be asked for again, by many at once, and with other limits', async () => {
    const stream = { ...schedulerStream, name: 'AGAIN', subjects: ['again.v1.event.>'] };
    await Promise.all([bus.ensureStream(stream), bus.ensureStream(stream), bus.ensureStream(stream)]);
    await bus.ensureStream({ ...stream, maxBytes: stream.maxBytes / 2 });
    await bus.ensureStream(stream);
  });
});

describe('publishEvent', () => {
  it('keeps one message of an id', async () => {
    const publish = (id: string) => bus.publishEvent(transitionDue, { instant: id }, id);
    expect(await publish('a')).toEqual({ duplicate: false });
    expect(await publish('a')).toEqual({ duplicate: true });
    expect(await publish('b')).toEqual({ duplicate: false });
    expect(await bus.lastEvent(transitionDue)).toEqual({ instant: 'b' });
  });

  it('says that it is unavailable where there is no stream', async () => {
    const attempt = bus.publishEvent(metricsReported, { events: [] }, 'a');
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('says that it is unavailable where the stream is full', async () => {
    const full: Event<typeof transitionDue.payload> = {
      ...transitionDue,
      subject: 'full.v1.event.a',
      stream: 'FULL',
    };
    await bus.ensureStream({
      ...schedulerStream,
      name: 'FULL',
      subjects: ['full.v1.event.>'],
      maxBytes: 1024,
    });
    const publish = (id: string) => bus.publishEvent(full, { instant: 'x'.repeat(400) }, id);
    await publish('a');
    await expect(publish('b')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('lastEvent', () => {
  it('is undefined where there was none', async () => {
    expect(await bus.lastEvent({ ...transitionDue, subject: 'scheduler.v1.event.other' })).toBeUndefined();
  });
});

describe('notify', () => {
  it('reaches whoever listens, and outlives what cannot be read', async () => {
    const heard: string[] = [];
    const other = await running.connect();
    const hint = { ...transitionDue, subject: 'accounts.v1.hint.other' };
    other.listen(hint, ({ instant }) => heard.push(instant));
    await other.flush();
    const anyone = await connect({ servers: running.nats.url });
    anyone.publish(hint.subject, 'no JSON');
    await anyone.drain();
    bus.notify(hint, { instant: 'now' });
    await waitFor(() => heard.length === 1, { what: 'the hint' });
    expect(heard).toEqual(['now']);
  });
});
