import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { companyChanged } from '@joblisting/contracts';
import { waitFor } from '@joblisting/testing';
import { publicJob, runSite, type RunningSite, START } from './running-site.ts';

let site: RunningSite;
beforeAll(async () => {
  site = await runSite();
});
afterAll(() => site.stop());
beforeEach(() => site.clock.set(START));

const pageOf = async (id: number) => (await site.get(`/Share/Job${id}`)).text();

describe('an event of jobs', () => {
  it('created: shows the job', async () => {
    await site.publish(publicJob(1, { title: 'Painter' }));
    expect(await pageOf(1)).toContain('Painter');
  });

  it('updated: shows the new version, and an older one that comes late changes nothing', async () => {
    await site.publish(publicJob(2, { title: 'First' }));
    await site.publish(publicJob(2, { title: 'Second', version: 2 }));
    site.published.set(2, publicJob(2, { title: 'First' }));
    await site.tell('updated', { jobId: 2, version: 1 });
    await site.publish(publicJob(3));
    expect(await pageOf(2)).toContain('Second');
  });

  it('closed: shows the job as closed', async () => {
    await site.publish(publicJob(4));
    site.published.delete(4);
    await site.tell('closed', { jobId: 4, version: 2, statusId: 2 });
    await waitFor(async () => (await pageOf(4)).includes('This job is closed'), { what: 'the banner' });
    expect(await site.statusOf('/Share/Job4')).toBe(200);
  });

  it('updated to Pending: hides the job', async () => {
    await site.publish(publicJob(5));
    site.published.delete(5);
    await site.tell('updated', { jobId: 5, version: 2, statusId: 3 });
    await site.untilJob(5, 404);
  });

  it('deleted: 410, also where a late event shows it again', async () => {
    await site.publish(publicJob(6));
    await site.tell('deleted', { jobId: 6, version: 2 });
    await site.untilJob(6, 410);
    await site.tell('updated', { jobId: 6, version: 1 });
    await site.publish(publicJob(7));
    expect(await site.statusOf('/Share/Job6')).toBe(410);
  });

  it('nothing: a job closes at its instant all the same', async () => {
    await site.publish(publicJob(8, { closeDate: '2026-03-11', closesAt: '2026-03-11T12:00:00.000Z' }));
    site.clock.set('2026-03-11T11:59:59.999Z');
    expect(await pageOf(8)).not.toContain('This job is closed');
    site.clock.set('2026-03-11T12:00:00Z');
    expect(await pageOf(8)).toContain('This job is closed');
  });
});

describe('the reading of all published jobs', () => {
  it('fills an empty site page by page, and later hides what is not Published any more', async () => {
    const jobsAtStart = [11, 12, 13, 14, 15].map((id) => publicJob(id));
    const own = await runSite({ REFRESH_EVERY_MS: '60000' }, { jobsAtStart });
    try {
      await own.untilJob(15, 200);
      own.published.delete(12);
      own.published.set(13, publicJob(13, { company: { id: 1, name: 'New name' } }));
      const isHidden = async () => {
        own.clock.advance(60_001);
        return (await own.statusOf('/Share/Job12')) === 404;
      };
      await waitFor(isHidden, { what: 'the end of job 12', everyMs: 200 });
      expect((await own.stored(13))?.companyName).toBe('New name');
    } finally {
      await own.stop();
    }
  });

  it('begins again for a company whose name changed', async () => {
    await site.publish(publicJob(21, { company: { id: 7, name: 'Old name' } }));
    site.published.set(21, publicJob(21, { company: { id: 7, name: 'New name' } }));
    site.bus.notify(companyChanged, { companyId: 7 });
    await waitFor(async () => (await site.stored(21))?.companyName === 'New name', { what: 'the new name' });
  });
});

describe('GET /Share/Job{id}', () => {
  it.each(['/Share/Job999999', '/Share/Job99999999999', '/Share/Job', '/Share/Jobx', '/nowhere'])(
    '404 for %s',
    async (path) => {
      expect(await site.statusOf(path)).toBe(404);
    },
  );
});
