import type { Send } from './client.ts';

/** A file as a search site sends it. */
export interface UploadedFile {
  readonly name: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** A small file that is a PDF by its first bytes, with every byte in it. */
export function pdf(text = 'CV'): Uint8Array<ArrayBuffer> {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  return Uint8Array.from(
    Buffer.concat([Buffer.from(`%PDF-1.4\n% ${text}\n`), everyByte, Buffer.from('\n%%EOF\n')]),
  );
}

/** An application with files as the multipart body of a POST. */
export async function multipart(application: unknown, files: readonly UploadedFile[]): Promise<Send> {
  const form = new FormData();
  form.append('application', new Blob([JSON.stringify(application)], { type: 'application/json' }));
  for (const { name, content } of files) form.append('file', new Blob([content]), name);
  const encoded = new Response(form);
  return {
    method: 'POST',
    raw: new Uint8Array(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type'),
  };
}
