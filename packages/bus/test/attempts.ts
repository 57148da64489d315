import { setImmediate } from 'node:timers/promises';
import { connect, createInbox, type NatsConnection } from 'nats';
import { passwordOf } from './guarded-nats.ts';

/** A user of the bus that tries what it likes, with the plain client. */
export interface Intruder {
  /** The subjects on which it may not publish. */
  readonly deniedPublishing: (subjects: readonly string[]) => Promise<string[]>;
  /** The subjects, each with or without a queue group, that it may not subscribe. */
  readonly deniedSubscribing: (subjects: readonly string[]) => Promise<string[]>;
  readonly close: () => Promise<void>;
}

export async function intrude(url: string, user: string): Promise<Intruder> {
  const connection = await connect({ servers: url, user, pass: passwordOf(user), reconnect: false });
  const denied = new Set<string>();
  void note(connection, denied);
  /** The server sends its denials before it answers a flush. */
  const trying = async (subjects: readonly string[], attempt: (subject: string) => void) => {
    denied.clear();
    for (const subject of subjects) attempt(subject);
    await connection.flush();
    await setImmediate();
    return subjects.filter((subject) => denied.has(subject));
  };
  return {
    deniedPublishing: (subjects) => trying(subjects, (subject) => connection.publish(subject)),
    deniedSubscribing: (subjects) =>
      trying(subjects, (line) => {
        const [subject = '', queue] = line.split(' ');
        connection.subscribe(subject, { callback: () => undefined, ...(queue && { queue }) });
      }),
    close: () => connection.close(),
  };
}

async function note(connection: NatsConnection, denied: Set<string>): Promise<void> {
  for await (const { permissionContext } of connection.status()) {
    if (!permissionContext) continue;
    const { subject, queue } = permissionContext as { subject: string; queue?: string };
    denied.add(queue === undefined ? subject : `${subject} ${queue}`);
  }
}

/** A subject in the inbox of this party. */
export const inboxOf = (party: string): string => `${createInbox(`_INBOX_${party}`)}.1`;
