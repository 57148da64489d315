/** Reads a body to its end. Rejects, and lets go of the connection, where it is longer than `limit` bytes. */
export async function boundedText(response: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limit) throw new BodyTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

class BodyTooLarge extends Error {
  readonly code = 'BODY_TOO_LARGE';
}
