import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@joblisting/testing';
import type { RunningShortlink } from './running-shortlink.ts';

interface Started {
  readonly shortlink: RunningShortlink;
  readonly stop: () => Promise<void>;
}

/** What holds whoever makes the links. */
export function providerSuite(start: () => Promise<Started>): void {
  describe('any provider', () => {
    let shortlink: RunningShortlink;
    let stop: () => Promise<void>;
    beforeAll(async () => {
      ({ shortlink, stop } = await start());
    });
    afterAll(() => stop());

    const urlOf = async (jobId: number) => {
      const link = await shortlink.linkOf(jobId);
      expect(link.final).toBe(true);
      return link.url;
    };

    it('gives the same address however often it is asked, and each job its own', async () => {
      const first = await urlOf(1);
      expect(await urlOf(1)).toBe(first);
      expect(await urlOf(2)).not.toBe(first);
      expect(await urlOf(-2_147_483_648)).not.toBe(first);
    });

    it('fits the url of a job', async () => {
      const url = await urlOf(2_147_483_647);
      expect(url.length).toBeLessThanOrEqual(128);
      expect(new URL(url).protocol).toMatch(/^https?:$/);
    });

    it('makes one link when many ask two replicas at once', async () => {
      await shortlink.addReplica();
      const links = await Promise.all(Array.from({ length: 100 }, () => shortlink.linkOf(3)));
      expect(new Set(links.map(({ url }) => url)).size).toBe(1);
      expect(new Set(links.map(({ final }) => final))).toEqual(new Set([true]));
    });

    it('gives the same address after a restart', async () => {
      const before = await urlOf(4);
      await shortlink.stopReplicas();
      await shortlink.addReplica();
      expect(await urlOf(4)).toBe(before);
    });

    it('removes links with their jobs, and no other', async () => {
      const kept = await urlOf(5);
      await urlOf(6);
      expect(await shortlink.remove([6, 99])).toBe(1);
      expect(await shortlink.remove([6])).toBe(0);
      expect(await urlOf(5)).toBe(kept);
    });

    it('makes a removed link anew', async () => {
      const before = await urlOf(7);
      await shortlink.remove([7]);
      const after = await waitFor(
        async () => {
          const { url, final } = await shortlink.linkOf(7);
          return final && url;
        },
        { what: 'the new link' },
      );
      expect(after).not.toBe(before);
    });
  });
}
