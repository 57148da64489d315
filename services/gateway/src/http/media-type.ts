import { MIMEType } from 'node:util';

/**
 * The media type of a Content-Type header in lower case without parameters, where its charset is absent or
 * utf-8 (API decisions, "Content-Type"); undefined for any other header.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    const { essence, params } = new MIMEType(header);
    const charset = params.get('charset')?.toLowerCase();
    return charset === undefined || charset === 'utf-8' ? essence : undefined;
  } catch {
    return undefined;
  }
}
