import { connect } from 'node:net';
import { inflateSync } from 'node:zlib';
import { testMongoUri, waitFor } from '@joblisting/testing';
import { mongo } from 'mongoose';

/**
 * The oplog keeps what replica set members need to catch up, until it reaches its size. MongoDB has no way to remove
 * something from it.
 */
const OPLOG = 'local.oplog.rs';

/** Databases of other suites, which run on the same server at the same time. */
const isOfAnother = (name: string, ownPrefix: string): boolean =>
  /^t[0-9a-f]{10}_/.test(name) && !name.startsWith(ownPrefix);

/** Counts the applications and files that a system has stored. */
export function storedCounter(databasePrefix: string) {
  const client = new mongo.MongoClient(testMongoUri());
  const database = client.db(`${databasePrefix}applications`);
  const count = (collection: string): Promise<number> => database.collection(collection).countDocuments();
  return {
    countStored: async () => ({
      applications: await count('applications'),
      files: await count('files.files'),
    }),
    close: () => client.close(),
  };
}

/** The collections of a system and of MongoDB itself, as `database.collection`, with a document that contains the text. */
export async function collectionsWith(text: string, databasePrefix: string): Promise<string[]> {
  const client = await new mongo.MongoClient(testMongoUri()).connect();
  try {
    const found: string[] = [];
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name: database } of databases) {
      if (isOfAnother(database, databasePrefix)) continue;
      for (const { name } of await client.db(database).listCollections().toArray()) {
        const path = `${database}.${name}`;
        if (path === OPLOG) continue;
        const documents = client.db(database).collection(name).find({}, { raw: true });
        for await (const document of documents) {
          if (!isTextIn(document as unknown as Buffer, text)) continue;
          found.push(path);
          break;
        }
      }
    }
    return found.toSorted();
  } finally {
    await client.close();
  }
}

function isTextIn(bson: Buffer, text: string): boolean {
  return (
    bson.includes(text) || deflatedIn(mongo.BSON.deserialize(bson, { promoteBuffers: true })).includes(text)
  );
}

/** Long answers to Idempotency-Keys are stored deflated. */
function deflatedIn(document: mongo.Document): string {
  const { deflated } = document;
  return Buffer.isBuffer(deflated) ? inflateSync(deflated).toString() : '';
}

interface JetStreamReply {
  readonly streams?: readonly string[];
  readonly state?: { readonly first_seq: number; readonly last_seq: number };
  /** Headers and payload in base64. */
  readonly message?: { readonly subject: string; readonly hdrs?: string; readonly data?: string };
}

/** All messages of all JetStream streams as text: stream, subject, headers, payload. Key-value buckets are streams, too. */
export async function streamMessages(natsUrl: string): Promise<string[]> {
  const jetStream = await connectJetStream(natsUrl);
  try {
    const messages: string[] = [];
    const { streams = [] } = await jetStream.request('STREAM.NAMES', {});
    for (const stream of streams) {
      const { state } = await jetStream.request(`STREAM.INFO.${stream}`, {});
      for (let seq = state?.first_seq ?? 1; seq <= (state?.last_seq ?? 0); seq++) {
        const { message } = await jetStream.request(`STREAM.MSG.GET.${stream}`, { seq });
        if (!message) continue;
        const parts = [message.hdrs, message.data].map((part = '') =>
          Buffer.from(part, 'base64').toString('latin1'),
        );
        messages.push([stream, message.subject, ...parts].join('\n'));
      }
    }
    return messages;
  } finally {
    jetStream.close();
  }
}

const INBOX = 'stored.everywhere';

/** A plain connection: the bus can read no stream without a consumer. */
async function connectJetStream(natsUrl: string) {
  const { port, hostname } = new URL(natsUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (chunk.includes('PING\r\n')) socket.write('PONG\r\n');
  });
  socket.write(`CONNECT {"verbose":false,"headers":true}\r\nSUB ${INBOX} 1\r\n`);
  return {
    request: async (verb: string, body: object): Promise<JetStreamReply> => {
      received = '';
      const payload = JSON.stringify(body);
      socket.write(`PUB $JS.API.${verb} ${INBOX} ${payload.length}\r\n${payload}\r\n`);
      const reply = await waitFor(
        () => {
          const [, bytes = '', rest = ''] = /MSG stored\.everywhere 1 (\d+)\r\n([^]*)/.exec(received) ?? [];
          return bytes !== '' && rest.length >= Number(bytes) ? rest.slice(0, Number(bytes)) : undefined;
        },
        { what: `the reply to ${verb}`, everyMs: 1 },
      );
      return JSON.parse(reply) as JetStreamReply;
    },
    close: () => void socket.destroy(),
  };
}
