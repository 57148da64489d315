import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { applicationForms, FORM_TYPE } from './application-forms.ts';

const PDF_BYTES = 20_000;

async function partsOf(form: Uint8Array) {
  const parts = await new Response(new Uint8Array(form), {
    headers: { 'Content-Type': FORM_TYPE },
  }).formData();
  const file = parts.get('file') as File;
  const application = JSON.parse(parts.get('application') as string) as {
    applicant: { email: string };
  };
  return { application, name: file.name, content: Buffer.from(await file.arrayBuffer()) };
}

describe('applicationForms', () => {
  const next = applicationForms(PDF_BYTES);

  it('have one PDF of the given size that does not compress', async () => {
    const { name, content } = await partsOf(next());
    expect(name).toBe('cv.pdf');
    expect(content).toHaveLength(PDF_BYTES);
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    expect(deflateSync(content).length).toBeGreaterThan(0.99 * PDF_BYTES);
  });

  it('have another e-mail address each', async () => {
    const emails = [];
    for (let index = 0; index < 3; index++) emails.push((await partsOf(next())).application.applicant.email);
    expect(new Set(emails).size).toBe(3);
  });
});
