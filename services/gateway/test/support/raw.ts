import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** Sends requests that fetch forbids or corrects: any method, any header, repeated headers. */
export async function askRaw(
  url: string,
  method: string,
  headers: Record<string, string | string[]> = {},
  body?: string | Uint8Array,
): Promise<RawAnswer> {
  const { origin } = new URL(url);
  const length =
    body === undefined || headers['Transfer-Encoding'] !== undefined
      ? {}
      : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = { method, path: url.slice(origin.length), headers: { ...headers, ...length } };
  const sent = request(origin, { ...options, agent: false });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

/** Sends these bytes and resolves to everything that the server sends until it closes the connection. */
export async function speak(origin: string, bytes: string | Uint8Array): Promise<string> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8').write(bytes);
  let received = '';
  for await (const chunk of socket) received += chunk;
  return received;
}
