import { type UploadedFile } from '@joblisting/testing/system';
import { BROWSER, type RunningSite } from './running-site.ts';

/** What an applicant sends. */
interface Filled {
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: readonly UploadedFile[];
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', consent: 'yes' };

export const pageOf = async (response: Response): Promise<Page> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

/** The value of the hidden field that proves where the form comes from. */
export const tokenIn = (text: string): string => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';

export const cookieIn = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? '';

/** Opens the form of a job, as a browser does, to send it. */
export async function openForm(site: RunningSite, jobId: number) {
  const page = await pageOf(await site.get(`/Share/Job${jobId}/apply`, { 'user-agent': BROWSER }));
  const cookie = cookieIn(page.headers);
  const token = tokenIn(page.text);
  const send = async ({ fields = ADA, files = [], headers = {} }: Filled = {}): Promise<Page> => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ token, ...fields })) form.append(name, value);
    for (const { name, content } of files) form.append('files', new Blob([content]), name);
    // A browser sends this part if no file was chosen.
    if (files.length === 0) form.append('files', new Blob([]), '');
    const response = await fetch(`${site.origin}/Share/Job${jobId}/apply`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'user-agent': BROWSER, origin: site.origin, ...headers },
      body: form,
    });
    return pageOf(response);
  };
  return { ...page, cookie, token, send };
}
