const MEBI = 2 ** 20;
/** The most that the gateway accepts, with room for a head. */
const LARGEST = 6 * MEBI - 1000;
const BOUNDARY = 'b';

/** The Content-Type of the forms. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const DELIMITER = `\r\n--${BOUNDARY}`;
const part = (disposition: string, content: string): string =>
  `${DELIMITER}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}`;
const application = part(
  'name="application"',
  JSON.stringify({ applicant: { name: 'Ada', email: 'ada@example.com' } }),
);
const file = (content: string): string => part('name="file"; filename="cv.txt"', content);
const filled = (text: string): string => text.repeat(Math.floor(LARGEST / text.length));

/** Applications as multipart, each as large as the gateway takes them: a good one, and ones that are costly to read. */
export const hostileForms = (): Uint8Array[] =>
  [
    application + file('x'.repeat(5 * MEBI)) + `${DELIMITER}--`,
    filled(DELIMITER),
    application + file(filled('\r\n-')),
    filled(part(`name="${'n'.repeat(1000)}"`, '')),
  ].map((form) => Buffer.from(form.slice(0, LARGEST)));
