import { type Random, randomFrom } from '@joblisting/testing';
import { sentence } from './texts.ts';

const BOUNDARY = 'form-of-the-bench-7d3a1c';

/** The Content-Type of the forms. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Bytes with the magic of a PDF that do not compress, like the streams of most PDFs. */
export function pdfOf(bytes: number, random: Random): Uint8Array {
  const start = Buffer.from('%PDF-1.7\n');
  const end = Buffer.from('\nendstream\n%%EOF\n');
  const noise = Uint8Array.from({ length: bytes - start.length - end.length }, () => random.below(256));
  return Buffer.concat([start, noise, end]);
}

/** One application with one file as multipart/form-data. */
export const formOf = (application: object, file: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(
      [
        `--${BOUNDARY}`,
        'Content-Disposition: form-data; name="application"',
        'Content-Type: application/json',
        '',
        JSON.stringify(application),
        `--${BOUNDARY}`,
        'Content-Disposition: form-data; name="file"; filename="cv.pdf"',
        'Content-Type: application/pdf',
        '',
        '',
      ].join('\r\n'),
    ),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Creates forms with the same PDF and another e-mail address each, so that none counts as a double click. */
export function applicationForms(pdfBytes: number): () => Uint8Array {
  const random = randomFrom(11);
  const pdf = pdfOf(pdfBytes, random);
  const coverLetter = Array.from({ length: 10 }, () => sentence(random)).join('\n\n');
  let index = 0;
  return () => {
    index += 1;
    const applicant = {
      name: `Applicant ${index}`,
      email: `applicant-${index}@example.com`,
      phone: '+31 30 1234567',
    };
    return formOf({ applicant, coverLetter, source: 'search site' }, pdf);
  };
}
