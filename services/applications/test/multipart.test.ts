import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApplication, errorCodes, ServiceError } from '@joblisting/contracts';
import { databaseOf } from '@joblisting/service-kit';
import { seededRandom } from '@joblisting/testing';
import { applicationModel } from '../src/models/application.ts';
import {
  ada,
  multipart,
  openJob,
  pdf,
  type RunningApplications,
  runApplications,
  searchSite,
} from './running-applications.ts';

let running: RunningApplications;
beforeAll(async () => {
  running = await runApplications();
  running.jobs.set(1, openJob(1));
});
afterAll(() => running.stop());

const BOUNDARY = 'b';
const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const part = (disposition: string, content: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const application = part('name="application"', JSON.stringify({ applicant: ada }));
const end = `--${BOUNDARY}--\r\n`;
const pdfText = pdf().toString();
const file = part('name="file"; filename="cv.pdf"', pdfText);

/** The code that the service answers with; `ok` for an application that it takes. */
async function codeOf(body: string | Uint8Array, contentType = CONTENT_TYPE): Promise<string> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  try {
    await running.bus.forward(createApplication, { jobId: 1, contentType }, bytes, searchSite());
    return 'ok';
  } catch (error) {
    return error instanceof ServiceError ? error.code : String(error);
  }
}
const storedCounts = async () => [
  await applicationModel(running.mongo).countDocuments(),
  await databaseOf(running.mongo).collection('files.files').countDocuments(),
];

describe('a multipart body', () => {
  it.each([
    ['empty', '', 'malformed_multipart'],
    ['only its end', end, 'malformed_multipart'],
    ['without its end', application, 'malformed_multipart'],
    ['cut inside a header', `--${BOUNDARY}\r\nContent-Dispo`, 'malformed_multipart'],
    ['without the part application', file + end, 'malformed_multipart'],
    ['with the part application twice', application + application + end, 'malformed_multipart'],
    ['with a part of another name', application + part('name="cv"', 'x') + end, 'malformed_multipart'],
    [
      'with a part without a name',
      application + part('filename="cv.pdf"', pdfText) + end,
      'malformed_multipart',
    ],
    [
      'with a line break in an encoded file name',
      application + part('name="file"; filename*=UTF-8\'\'a%0D%0Ab.pdf', pdfText) + end,
      'malformed_multipart',
    ],
    [
      'with a file that has a line that begins like a boundary',
      application + part('name="file"; filename="cv.pdf"', `${pdfText}\r\n--${BOUNDARY}ee\r\n`) + end,
      'malformed_multipart',
    ],
    ['with seven files', application + file.repeat(7) + end, 'malformed_multipart'],
    ['with six files', application + file.repeat(6) + end, 'validation_failed'],
    ['with JSON that is none', part('name="application"', '{') + end, 'malformed_json'],
    ['with a JSON list', part('name="application"', '[]') + end, 'malformed_json'],
    ['with a file without a name', application + part('name="file"', pdfText) + end, 'validation_failed'],
    [
      'with an empty file',
      application + part('name="file"; filename="a.pdf"', '') + end,
      'validation_failed',
    ],
    [
      'with a name of dots',
      application + part('name="file"; filename=".."', pdfText) + end,
      'validation_failed',
    ],
    [
      'with a part that is no form-data',
      `${application}--${BOUNDARY}\r\nContent-Disposition: attachment; name="file"; filename="a.pdf"\r\n\r\n${pdfText}\r\n${end}`,
      'malformed_multipart',
    ],
    [
      'with a part in base64',
      application +
        part('name="file"; filename="a.pdf"', 'JVBERi0xLjQK', 'Content-Transfer-Encoding: base64\r\n') +
        end,
      'malformed_multipart',
    ],
    [
      'with a large part that the parser skips',
      `--${BOUNDARY}\r\ncontent-type: a/b\r\n\r\n${'X'.repeat(66_000)}\r\n${end}`,
      'malformed_multipart',
    ],
    ['with a million empty parts', `\r\n--${BOUNDARY}`.repeat(1_000_000), 'malformed_multipart'],
    [
      'with a long name',
      application + part(`name="file"; filename="${'n'.repeat(256)}"`, pdfText) + end,
      'validation_failed',
    ],
  ])('%s is refused', async (_what, body, code) => {
    const before = await storedCounts();
    expect(await codeOf(body)).toBe(code);
    expect(await storedCounts()).toEqual(before);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=""'])(
    'of type %s is refused',
    async (contentType) => {
      expect(await codeOf(application + end, contentType)).toBe('malformed_multipart');
    },
  );

  it('of one character a million times is refused soon, with an Idempotency-Key too', async () => {
    const body = Buffer.from('b'.repeat(1_000_000));
    const context = { ...searchSite(), idempotencyKey: 'hostile' };
    const contentType = 'multipart/form-data; boundary=b';
    const sent = running.bus.forward(createApplication, { jobId: 1, contentType }, body, context);
    await expect(sent).rejects.toMatchObject({ code: 'malformed_multipart' });
  });

  it.each([
    ['../../etc/cv.pdf', 'cv.pdf'],
    ['%22A%22 50%25.pdf', '"A" 50%25.pdf'],
  ])('stores the file name %s as %s', async (filename, name) => {
    const path = part(`name="file"; filename="${filename}"`, pdfText);
    const email = `${name.length}@example.com`;
    const { data } = await running.bus.forward(
      createApplication,
      { jobId: 1, contentType: CONTENT_TYPE },
      Buffer.from(part('name="application"', JSON.stringify({ applicant: { ...ada, email } })) + path + end),
      searchSite(),
    );
    expect(JSON.parse(Buffer.from(data).toString()).files).toMatchObject([{ name }]);
  });

  it('with bytes changed at random is taken whole or refused whole', async () => {
    const random = seededRandom(7);
    const sent = await multipart({ applicant: ada, coverLetter: 'Hello' }, [
      { name: 'cv.pdf', content: pdf() },
    ]);
    const below = (most: number) => Math.floor(random() * most);
    const kinds = new Set<string>();
    for (let round = 0; round < 200; round++) {
      const bytes = Uint8Array.from(sent.body);
      for (let change = 0; change <= below(4); change++) bytes[below(bytes.length)] = below(256);
      const cut = random() < 0.3 ? bytes.subarray(0, below(bytes.length)) : bytes;
      const [applications = 0, files = 0] = await storedCounts();
      const code = await codeOf(cut, sent.contentType);
      kinds.add(code === 'ok' ? code : errorCodes[code as keyof typeof errorCodes].kind);
      const [applicationsAfter = 0, filesAfter = 0] = await storedCounts();
      if (code === 'ok') expect(filesAfter - applicationsAfter).toBe(files - applications);
      else expect([applicationsAfter, filesAfter]).toEqual([applications, files]);
    }
    expect(['invalid', 'ok', 'unparsable']).toEqual(expect.arrayContaining([...kinds]));
    expect(kinds.size).toBeGreaterThan(1);
  });
});
