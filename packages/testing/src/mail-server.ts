import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/**
 * What the server does with a mail: accepts it, replies with this code to MAIL, RCPT or DATA, never replies, or closes
 * the connection after DATA.
 */
export type Mood =
  | 'takes'
  | 'stalls'
  | 'hangs up'
  | { readonly from: number }
  | { readonly rcpt: number }
  | { readonly data: number };

const refusal = (responseCode: number) => Object.assign(new Error('not now'), { responseCode });

export interface ReceivedMail {
  readonly to: string;
  readonly raw: Buffer;
}

/** A real SMTP server, which treats mails by its `mood`. `mails` has the accepted ones in order. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  let stalled = 0;
  const self = { mood: 'takes' as Mood, mails };
  const receive = async (
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    callback: (error?: Error | null, message?: string) => void,
  ): Promise<void> => {
    const bytes = await buffer(stream);
    const { mood } = self;
    if (mood === 'hangs up') {
      for (const connection of server.connections) connection.close();
      return;
    }
    if (typeof mood === 'object' && 'data' in mood) return callback(refusal(mood.data));
    const [recipient] = session.envelope.rcptTo;
    mails.push({ to: recipient?.address ?? '', raw: bytes });
    callback(null, 'Queued');
  };
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, callback) => {
      const { mood } = self;
      callback(typeof mood === 'object' && 'from' in mood ? refusal(mood.from) : null);
    },
    onRcptTo: (_address, _session, callback) => {
      const { mood } = self;
      if (mood === 'stalls') {
        stalled += 1;
        return;
      }
      callback(typeof mood === 'object' && 'rcpt' in mood ? refusal(mood.rcpt) : null);
    },
    onData: (stream, session, callback) => {
      // The sender may leave in the middle of a mail.
      receive(stream, session, callback).catch(() => undefined);
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(self, {
    url: `smtp://127.0.0.1:${port}`,
    /** How many mails have stalled. */
    stalled: () => stalled,
    connections: () => server.connections.size,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;
