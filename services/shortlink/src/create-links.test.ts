import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@joblisting/contracts';
import { createLinksHandler } from './create-links.ts';
import type { MakeLink } from './link-making.ts';

const linkOf = (jobId: number) => ({ url: `https://s.example/${jobId}`, final: true });

/** The jobs that are given a link, of 1, 2 and 3, where `make` makes them. */
async function made(make: MakeLink, limitMs = 5000) {
  const context = { requestId: 'r', deadline: Date.now() + limitMs };
  const body = { jobIds: [1, 2, 3] };
  const handle = createLinksHandler(make);
  const { data } = await handle({ params: {}, body, violations: [], warnings: [], context, keep: undefined });
  if (!data || data instanceof Uint8Array) throw new Error('no links');
  return data.links.map(({ jobId }) => jobId);
}

describe('createLinks', () => {
  it('leaves out those that take too long, or are refused for that', async () => {
    const make: MakeLink = (jobId) => {
      if (jobId === 1) return new Promise(() => {});
      if (jobId === 2) return Promise.reject(new ServiceError('deadline_exceeded'));
      return Promise.resolve(linkOf(jobId));
    };
    expect(await made(make, 60)).toEqual([3]);
  });

  it('is refused where there is time for none', async () => {
    await expect(made(() => new Promise(() => {}), 30)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('fails with whatever else one fails with', async () => {
    const away = new ServiceError('unavailable');
    const make: MakeLink = (jobId) => (jobId === 2 ? Promise.reject(away) : Promise.resolve(linkOf(jobId)));
    await expect(made(make)).rejects.toBe(away);
  });
});
