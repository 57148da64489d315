import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, jobBody, multipart, pdf, useWorld } from '../../src/index.ts';

const world = useWorld();
let site: Client;
let path: string;
beforeAll(async () => {
  const { secret } = await world.operator.consumerKey(['applications:write']);
  site = createClient(world.origin, { consumer: secret });
  const { json } = await world.api.post('/jobs', jobBody(world.companyId));
  path = `/jobs/${json.data.id}/applications`;
});

const applicant = { name: 'Ada Lovelace', email: 'ada@example.com' };

describe('POST /jobs/{jobId}/applications › violations', () => {
  it('422 lists all violations of JSON and files at once', async () => {
    const application = {
      applicant: { name: ' ', email: 'nobody' },
      coverLetter: 'x'.repeat(20_001),
      answers: Array.from({ length: 51 }, () => ({ question: 'Q', answer: 'A' })),
      consentAt: 'yesterday',
    };
    const files = [
      { name: 'cv.pdf', content: Uint8Array.from(Buffer.from('MZ\0\0')) },
      { name: 'evil\u202Efdp.exe', content: pdf() },
    ];
    const { status, json } = await site.send(path, await multipart(application, files));
    const found = json.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect([status, found.toSorted()]).toEqual([
      422,
      [
        '#/answers/50 too_many',
        '#/applicant/email invalid_email',
        '#/applicant/name blank',
        '#/consentAt invalid_value',
        '#/coverLetter too_long',
        '#/files/0 file_type',
        '#/files/1 invalid_value',
      ],
    ]);
  });

  it('413 for a body over 6 MiB, 422 for files over 5 MiB', async () => {
    const ofSize = async (mebibytes: number) => {
      const content = Uint8Array.from(Buffer.concat([pdf(), Buffer.alloc(mebibytes * 1024 ** 2)]));
      const body = await multipart({ applicant }, [{ name: 'cv.pdf', content }]);
      return site.send(path, body);
    };
    expect((await ofSize(6)).json.code).toBe('body_too_large');
    const { status, json } = await ofSize(5);
    expect([status, json.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['#/files'],
    ]);
  });
});
