import { waitFor } from '@joblisting/testing';

const LIMIT_MS = 60_000;
const TOKEN = /data-token="([^"]+)"/;

/** Visits pages of the site as browsers do, each visit by another one. */
export function siteVisitor(origin: () => string) {
  const get = async (jobId: number, browser: string): Promise<string> => {
    const answer = await fetch(`${origin()}/Share/Job${jobId}`, { headers: { 'user-agent': browser } });
    if (answer.status !== 200) throw new Error(`GET /Share/Job${jobId}: ${answer.status}`);
    return answer.text();
  };

  return {
    page: (jobId: number): Promise<string> => get(jobId, 'Mozilla/5.0'),

    /** Opens a page and reports that it was seen, until that is acknowledged; sends the report so many times more. */
    visit: async (jobId: number, visitor: number, repeats: number): Promise<void> => {
      const browser = `Mozilla/5.0 (Visitor ${visitor})`;
      const limited = { limitMs: LIMIT_MS, everyMs: 50 };
      const page = await waitFor(() => get(jobId, browser), { ...limited, what: `the page of job ${jobId}` });
      const token = TOKEN.exec(page)?.[1];
      if (token === undefined) throw new Error(`The page of job ${jobId} has no token.`);
      const report = async (): Promise<boolean> => {
        const headers = { 'user-agent': browser, 'content-type': 'text/plain' };
        const answer = await fetch(`${origin()}/count`, { method: 'POST', headers, body: token });
        return answer.status === 204;
      };
      for (let times = 0; times <= repeats; times++) {
        await waitFor(report, { ...limited, what: `the view of visitor ${visitor} to be taken` });
      }
    },
  };
}
