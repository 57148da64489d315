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
  it('can be called again, by many at once, and with other limits', async () => {
    const stream = { ...schedulerStream, name: 'AGAIN', subjects: ['again.v1.event.>'] };
    await Promise.all([bus.ensureStream(stream), bus.ensureStream(stream), bus.ensureStream(stream)]);
    await bus.ensureStream({ ...stream, maxBytes: stream.maxBytes / 2 });
    await bus.ensureStream(stream);
  });
});

describe('publishEvent', () => {
  it('stores one message of an id', async () => {
    const publish = (id: string) => bus.publishEvent(transitionDue, { instant: id }, id);
    expect(await publish('a')).toEqual({ duplicate: false });
    expect(await publish('a')).toEqual({ duplicate: true });
    expect(await publish('b')).toEqual({ duplicate: false });
    expect(await bus.lastEvent(transitionDue)).toEqual({ instant: 'b' });
  });

  it('is `unavailable` where there is no stream, and none was ensured', async () => {
    const attempt = bus.publishEvent(metricsReported, { events: [] }, 'a');
    await expect(attempt).rejects.toMatchObject({ code: 'unavailable', reason: 'no_responder' });
  });

  it('makes a lost stream again, once for many events', async () => {
    const operator = await connect({ servers: running.nats.url });
    const { streams } = await operator.jetstreamManager();
    await streams.delete(schedulerStream.name);
    const ids = Array.from({ length: 50 }, (_, index) => `lost-${index}`);
    const published = await Promise.all(
      ids.map((instant) => bus.publishEvent(transitionDue, { instant }, instant)),
    );
    expect(published).toEqual(ids.map(() => ({ duplicate: false })));
    const { state, config } = await streams.info(schedulerStream.name);
    expect(state.messages).toBe(50);
    expect(config.max_bytes).toBe(schedulerStream.maxBytes);
    await operator.close();
  });

  it('is `unavailable` where the stream is full', async () => {
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
    await expect(publish('b')).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'bus_away',
      cause: expect.objectContaining({ message: expect.stringContaining('FULL refused an event') }),
    });
  });
});

describe('lastEvent', () => {
  it('is undefined where there was no event', async () => {
    expect(await bus.lastEvent({ ...transitionDue, subject: 'scheduler.v1.event.other' })).toBeUndefined();
  });
});

describe('notify', () => {
  it('reaches whoever listens, also after a message that is not JSON', async () => {
    const received: string[] = [];
    const other = await running.connect();
    const hint = { ...transitionDue, subject: 'accounts.v1.hint.other' };
    other.listen(hint, ({ instant }) => received.push(instant));
    await other.flush();
    const stranger = await connect({ servers: running.nats.url });
    stranger.publish(hint.subject, 'no JSON');
    await stranger.drain();
    bus.notify(hint, { instant: 'now' });
    await waitFor(() => received.length === 1, { what: 'the hint' });
    expect(received).toEqual(['now']);
  });

  it('reports what a listener throws, and goes on', async () => {
    const received: string[] = [];
    const reported: unknown[] = [];
    const other = await running.connect({
      onListenerError: (error, subject) => reported.push({ error, subject }),
    });
    const hint = { ...transitionDue, subject: 'accounts.v1.hint.failing' };
    other.listen(hint, ({ instant }) => {
      if (instant === 'bad') throw new Error('a fault of the listener');
      received.push(instant);
    });
    await other.flush();
    bus.notify(hint, { instant: 'bad' });
    bus.notify(hint, { instant: 'good' });
    await waitFor(() => received.length === 1, { what: 'the second hint' });
    expect(reported).toEqual([
      { error: expect.objectContaining({ message: 'a fault of the listener' }), subject: hint.subject },
    ]);
  });
});
