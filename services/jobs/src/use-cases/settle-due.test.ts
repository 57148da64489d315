import { describe, expect, it } from '@jest/globals';
import { settling } from './settle-due.ts';

const NOW = Date.UTC(2026, 2, 19, 12);
const soon = () => Date.now() + 60_000;
const turn = () => new Promise(setImmediate);
/** Chunks that end when they are told to, the last ones with nothing that was due. */
function setUp() {
  const chunks: { company: number | undefined; now: number; end: (isSome: boolean) => void }[] = [];
  const settle = async function* (company: number | undefined, now: number, size: number) {
    while (await new Promise<boolean>((end) => chunks.push({ company, now, end }))) yield size;
  };
  const end = async (isSome: boolean) => {
    chunks.at(-1)?.end(isSome);
    await turn();
  };
  const stopping = new AbortController();
  const isDue = async () => true;
  return { chunks, end, stopping, ...settling({ isDue, settle }, () => undefined, stopping.signal) };
}

describe('settling the due jobs of one company', () => {
  it('refuses in time to be told, where it cannot be done by the deadline, and is done all the same', async () => {
    const { chunks, end, ofCompany } = setUp();
    const settled = ofCompany(1, NOW, Date.now() + 310);
    await end(true);
    await expect(settled).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    await end(true);
    expect(chunks).toHaveLength(3);
  });

  it('is one run for all who have asked before it began, by the latest of their clocks', async () => {
    const { chunks, end, ofCompany } = setUp();
    const first = ofCompany(1, NOW, soon());
    const others = [NOW + 2, NOW + 1].map((now) => ofCompany(1, now, soon()));
    await end(true);
    await end(false);
    await first;
    await end(false);
    await Promise.all(others);
    expect(chunks.map(({ now }) => now - NOW)).toEqual([0, 0, 2]);
  });
});

describe('settling all due jobs', () => {
  it('makes way for a company that somebody waits for, until its jobs are settled', async () => {
    const { chunks, end, ofCompany, all } = setUp();
    const company = ofCompany(1, NOW, soon());
    await end(true);
    const everything = all(NOW);
    await end(true);
    expect(chunks.map((chunk) => chunk.company)).toEqual([1, 1, 1]);
    await end(false);
    await company;
    expect(chunks.map((chunk) => chunk.company)).toEqual([1, 1, 1, undefined]);
    await end(false);
    await everything;
  });

  it('ends with the service, as does what it makes way for', async () => {
    const { chunks, end, stopping, ofCompany, all } = setUp();
    const company = expect(ofCompany(1, NOW, soon())).rejects.toMatchObject({ code: 'overloaded' });
    await end(true);
    const everything = all(NOW);
    stopping.abort();
    await end(true);
    await company;
    await end(true);
    await everything;
    expect(chunks.map((chunk) => chunk.company)).toEqual([1, 1, undefined]);
  });

  it('is not kept waiting by requests that find nothing due', async () => {
    const { chunks, ofCompany, all } = setUp();
    void ofCompany(1, NOW, soon());
    void all(NOW);
    await turn();
    expect(chunks.map(({ company }) => company)).toEqual([1, undefined]);
    for (const { end } of chunks) end(false);
  });
});
