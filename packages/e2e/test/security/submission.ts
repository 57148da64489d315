import type { Send } from '../../src/index.ts';

const BOUNDARY = 'b';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part of a multipart body. `head` follows `form-data; `. */
const part = (head: string, content: string, more = ''): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n${more}\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** The request with a multipart body of these characters, each of which is a byte. */
export const submission = (body: string, contentType = MULTIPART): Send => ({
  method: 'POST',
  raw: Uint8Array.from(Buffer.from(body, 'latin1')),
  contentType,
});

const json = JSON.stringify({ applicant: { name: 'Ada', email: 'ada@example.com' } });
const application = part('name="application"', json);
const content = '%PDF-1.4\n%%EOF\n';
const file = part('name="file"; filename="cv.pdf"', content);
const ofJson = (text: string, more = '') => part('name="application"', text, more) + END;
const ofFile = (bytes: string, more = '') =>
  application + part('name="file"; filename="a.pdf"', bytes, more) + END;

/** A body that is accepted. */
export const accepted = application + file + END;
/** A body with a file. `name` is the rest of its Content-Disposition. */
export const withFileName = (name: string): string =>
  application + part(`name="file"; ${name}`, content) + END;

/** Bodies with the status of their answers. */
export const hostileBodies: [string, number, string][] = [
  ['nothing', 400, ''],
  ['its end alone', 400, END],
  ['no end', 400, application + file],
  ['an end inside a header', 400, `${application}--${BOUNDARY}\r\nContent-Dispo`],
  ['an end inside a file', 400, application + file.slice(0, -8)],
  ['another boundary than its type says', 400, accepted.replaceAll(`--${BOUNDARY}`, '--other')],
  ['line feeds alone', 400, accepted.replaceAll('\r', '')],
  ['no application', 400, file + END],
  ['two applications', 400, application + accepted],
  ['a part without Content-Disposition', 400, `${application}--${BOUNDARY}\r\n\r\n${content}\r\n${END}`],
  ['a file name of line ends', 400, withFileName("filename*=UTF-8''a%0D%0AX-Evil%3A%20b.pdf")],
  ['an array of applications', 400, part('name="application[]"', json) + END],
  ['a part named __proto__', 400, application + part('name="__proto__"', '{}') + END],
  ['a part without a name', 400, application + part('filename="a.pdf"', content) + END],
  ['JSON that does not end', 400, ofJson('{"applicant":')],
  ['JSON in UTF-16', 400, ofJson(Buffer.from(json, 'utf16le').toString('latin1'))],
  ['JSON of 150,000 levels', 400, ofJson(`${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`)],
  ['a name twice in JSON', 400, ofJson('{"applicant":{},"applicant":{}}')],
  ['50,000 parts', 400, application + part('name="file"; filename="a"', '').repeat(50_000) + END],
  ['a header of 1 MiB', 422, ofJson('{}', `X: ${'x'.repeat(1024 ** 2)}\r\n`)],
  ['10,000 headers', 422, ofJson('{}', 'X: y\r\n'.repeat(10_000))],
  ['6 files', 422, application + file.repeat(6) + END],
  ['database operators', 422, ofJson('{"applicant":{"name":{"$gt":""},"email":{"$ne":null}}}')],
  ['forged files in JSON', 422, ofJson('{"files":[{"name":"a","content":{"length":9e9}}]}')],
  ['a file in base64', 400, ofFile('\u007FELF\0', 'Content-Transfer-Encoding: base64\r\n')],
  ['a program that is called PDF', 422, ofFile('MZ\0\0', 'Content-Type: application/pdf\r\n')],
  ['a page behind a signature', 422, ofFile('\u0089PNG<html>\0')],
];
