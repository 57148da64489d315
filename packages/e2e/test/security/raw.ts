import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** Sends bytes and returns everything received until the server closes the connection. */
export async function sendBytes(origin: string, bytes: string | Uint8Array): Promise<string> {
  const socket = open(origin);
  socket.write(bytes);
  let received = '';
  for await (const chunk of socket) received += chunk;
  return received;
}

/** Opens a connection that reads text. */
function open(url: string): Socket {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  // The server may reset a connection that still writes after a refusal.
  return socket.setEncoding('latin1').on('error', () => undefined);
}

/** The status of each HTTP answer in the text, ignoring their bodies. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/(?:^|\r\n|[}\]])HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Sends a request that fetch would forbid or correct: any path, any header, repeated headers. */
export async function requestRaw(
  origin: string,
  path: string,
  headers: Record<string, string | readonly string[]> = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; text: string }> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const outgoing = request(origin, { method, path, headers: { ...headers, ...length }, agent: false });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, text };
}
