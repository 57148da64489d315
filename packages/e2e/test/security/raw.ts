import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Writes these bytes to the origin and resolves to all that comes back until the other side hangs up. */
export async function speak(origin: string, bytes: string | Uint8Array): Promise<string> {
  const socket = open(origin);
  socket.write(bytes);
  let heard = '';
  for await (const chunk of socket) heard += chunk;
  return heard;
}

/** A connection whose text is read as it comes. */
export function open(url: string): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  // Whoever is refused while still writing may be reset.
  return socket.setEncoding('latin1').on('error', () => undefined);
}

/** The status of each answer in what was heard, and of nothing inside their bodies. */
export function statusesIn(heard: string): number[] {
  return [...heard.matchAll(/(?:^|\r\n|[}\]])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Asks without what fetch forbids or corrects: any path, any header, a header twice. */
export async function askRaw(
  origin: string,
  path: string,
  headers: Record<string, string | readonly string[]> = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const sent = request(origin, { method, path, headers: { ...headers, ...length }, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, text };
}
