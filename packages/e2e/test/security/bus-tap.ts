import { connect, type Socket } from 'node:net';
import { waitFor } from '@joblisting/testing';

/** The traffic of the bus since the tap opened. */
export interface BusTap {
  readonly subjects: ReadonlySet<string>;
  /** Subjects, headers and payloads as text. */
  readonly text: () => string;
  readonly close: () => void;
}

const HEAD = /^H?MSG (\S+) .*?(\d+)$/;

/** Listens to every subject over a plain connection. A client library would show subjects as it parses them. */
export async function tapBus(natsUrl: string): Promise<BusTap> {
  const { port, hostname } = new URL(natsUrl);
  const socket: Socket = connect(Number(port), hostname).setEncoding('latin1');
  const subjects = new Set<string>();
  let text = '';
  let rest = '';
  let isListening = false;
  socket.write('CONNECT {"verbose":false,"headers":true,"echo":true}\r\nSUB > 1\r\nPING\r\n');
  socket.on('data', (chunk: string) => {
    text += chunk;
    rest += chunk;
    for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
      const line = rest.slice(0, end);
      const [, subject, bytes] = HEAD.exec(line) ?? [];
      const payload = subject === undefined ? 0 : Number(bytes) + 2;
      if (rest.length < end + 2 + payload) return;
      if (subject !== undefined) subjects.add(subject);
      if (line === 'PING') socket.write('PONG\r\n');
      if (line === 'PONG') isListening = true;
      rest = rest.slice(end + 2 + payload);
    }
  });
  await waitFor(() => isListening, { what: 'the tap on the bus' });
  return { subjects, text: () => text, close: () => void socket.destroy() };
}
