import { setTimeout as delay } from 'node:timers/promises';
import { createClient, newJob } from './client.mjs';

const hands = 3;
const pauseMs = 20;
const patienceMs = 120_000;
const isDone = ({ status }) => status === 200 || status === 201;

/** Puts jobs and reports events without end, each until it is acknowledged, and remembers what was. */
export function startWriter(origin, demo) {
  const client = createClient(origin, demo);
  const titles = new Map();
  const events = { jobId: undefined, acknowledged: 0 };
  const times = [];
  let refused = 0;
  let next = 0;
  let going = true;

  async function untilDone(send) {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      const answer = await send();
      if (isDone(answer)) {
        times.push(Date.now());
        return answer;
      }
      if (Date.now() > giveUpAt)
        throw new Error(`nothing is acknowledged any more: ${JSON.stringify(answer)}`);
      // A mistake of the test would be refused for ever.
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
        throw new Error(JSON.stringify(answer));
      refused += 1;
      await delay(pauseMs);
    }
  }

  async function writeJobs() {
    while (going) {
      const number = next++;
      const title = `Keeper ${number}`;
      const answer = await untilDone(() => client.put(newJob(`kept-${number}`, title)));
      titles.set(answer.json.data.id, title);
      events.jobId ??= answer.json.data.id;
      await delay(pauseMs);
    }
  }

  async function reportEvents() {
    while (going) {
      await delay(pauseMs);
      if (events.jobId === undefined) continue;
      const event = { id: crypto.randomUUID(), jobId: events.jobId, type: 'view' };
      await untilDone(() => client.report([event]));
      events.acknowledged += 1;
    }
  }

  const work = Promise.all([...Array.from({ length: hands }, writeJobs), reportEvents()]);
  // Whoever stops the writer hears of it.
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
      going = false;
      await work;
    },
  };
}
