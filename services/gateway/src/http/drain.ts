import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Before a refusal on a connection that will be closed: reads and drops what the client is still sending, up to
 * `limit` bytes, because closing over unread bytes resets the connection and the client never sees the answer
 * (RFC 9112, section 9.6). On a connection that stays, node does it afterwards.
 */
export async function drain(raw: IncomingMessage, response: ServerResponse, limit: number): Promise<void> {
  if (raw.complete || raw.destroyed || response.shouldKeepAlive) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    raw.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > limit) resolve();
    });
    raw
      .on('end', resolve)
      .on('close', resolve)
      .on('error', () => resolve());
  });
}
