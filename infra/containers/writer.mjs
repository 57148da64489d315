import { setTimeout as delay } from 'node:timers/promises';
import { createClient, newJob } from './client.mjs';

const parallel = 3;
const pauseMs = 20;
const limitMs = 120_000;
const isAcknowledged = ({ status }) => status === 200 || status === 201;

/** Puts jobs and reports events until stopped, retries each until it is acknowledged, and records it. */
export function startWriter(origin, demo) {
  const client = createClient(origin, demo);
  const titles = new Map();
  const events = { jobId: undefined, acknowledged: 0 };
  const times = [];
  let refused = 0;
  let next = 0;
  let isRunning = true;

  async function untilAcknowledged(send) {
    const giveUpAt = Date.now() + limitMs;
    for (;;) {
      const answer = await send();
      if (isAcknowledged(answer)) {
        times.push(Date.now());
        return answer;
      }
      if (Date.now() > giveUpAt)
        throw new Error(`no acknowledgement for ${limitMs / 1000} s: ${JSON.stringify(answer)}`);
      // A retry cannot fix a mistake of the test.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
        throw new Error(JSON.stringify(answer));
      refused += 1;
      await delay(pauseMs);
    }
  }

  async function writeJobs() {
    while (isRunning) {
      const number = next++;
      const title = `Keeper ${number}`;
      const answer = await untilAcknowledged(() => client.put(newJob(`kept-${number}`, title)));
      titles.set(answer.json.data.id, title);
      events.jobId ??= answer.json.data.id;
      await delay(pauseMs);
    }
  }

  async function reportEvents() {
    while (isRunning) {
      await delay(pauseMs);
      if (events.jobId === undefined) continue;
      const event = { id: crypto.randomUUID(), jobId: events.jobId, type: 'view' };
      await untilAcknowledged(() => client.report([event]));
      events.acknowledged += 1;
    }
  }

  const work = Promise.all([...Array.from({ length: parallel }, writeJobs), reportEvents()]);
  // `stop` reports the error.
  work.catch(() => {});
  return {
    titles,
    events,
    client,
    acknowledged: () => times.length,
    refused: () => refused,
    /** Longest time without an acknowledgement after `since`, in ms. */
    gapSince: (since) => {
      const later = [since, ...times.filter((time) => time >= since)];
      return Math.max(...later.slice(1).map((time, index) => time - later[index]));
    },
    stop: async () => {
      isRunning = false;
      await work;
    },
  };
}
