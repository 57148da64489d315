import { type ApiServer, KEY, startApiServer } from './api-server.ts';
import { BROWSER, publicJob, runSite, type RunningSite } from './running-site.ts';

/** A report as it waits in the outbox. */
interface WaitingReport {
  readonly _id: string;
  readonly jobId: number;
  readonly type: string;
  readonly at: Date;
}

export type CountingSite = Awaited<ReturnType<typeof runCountingSite>>;

/** What `image` returns, whatever the token. */
export const PIXEL = [200, 'image/gif', 42];

let nextAddress = 1;

/** The headers of a visitor, who is another one each time, unless the address is given. */
export const visitor = (address = `192.0.2.${nextAddress++ % 250}`, agent = BROWSER) => ({
  'x-forwarded-for': address,
  'user-agent': agent,
});

/** A site whose reports stay in its outbox, so that tests can look there: the API takes none. */
export async function runCountingSite() {
  const api: ApiServer = await startApiServer();
  api.behave({ status: 503 });
  const site: RunningSite = await runSite({
    API_URL: api.url,
    CONSUMER_KEY: KEY,
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  });
  const reports = () => site.mongo.collection<WaitingReport>('reports');
  let nextJobId = 1;
  return {
    api,
    site,
    reports,
    counted: (jobId: number, type = 'view') => reports().countDocuments({ jobId, type }),
    openJob: async (more: Parameters<typeof publicJob>[1] = {}): Promise<number> => {
      const id = nextJobId++;
      await site.publish(publicJob(id, more));
      return id;
    },
    /** The token of a new page of the job. */
    tokenOf: async (jobId: number): Promise<string> => {
      const text = await (await site.get(`/Share/Job${jobId}`)).text();
      return /data-token="([^"]+)"/.exec(text)?.[1] ?? '';
    },
    /** Sends the token as `navigator.sendBeacon` does. */
    beacon: async (token: string, headers: Record<string, string> = visitor()) => {
      const response = await fetch(`${site.origin}/count`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain;charset=UTF-8', ...headers },
        body: token,
      });
      return [response.status, await response.text()];
    },
    image: async (token: string, headers: Record<string, string> = visitor()) => {
      const response = await site.get(`/count/${token}.gif`, headers);
      return [response.status, response.headers.get('content-type'), (await response.bytes()).length];
    },
    stop: async () => {
      await site.stop();
      await api.stop();
    },
  };
}
