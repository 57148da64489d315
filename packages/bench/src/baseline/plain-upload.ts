// The plain way to take an application: the parts of the form go to GridFS and into one document.
import { pipeline } from 'node:stream/promises';
import { Busboy } from '@fastify/busboy';
import { fastify, type FastifyRequest } from 'fastify';
import { mongo } from 'mongoose';

interface Form {
  readonly application: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly id: mongo.ObjectId; readonly name: string }[];
}

const { MONGODB_URI = '', MONGODB_DATABASE = '', PORT = '0' } = process.env;
const client = await mongo.MongoClient.connect(MONGODB_URI, { writeConcern: { w: 'majority', j: true } });
const database = client.db(MONGODB_DATABASE);
const applications = database.collection<{ _id: number; [name: string]: unknown }>('applications');
const bucket = new mongo.GridFSBucket(database, {
  bucketName: 'files',
  writeConcern: { w: 'majority', journal: true },
});
const server = fastify({ logger: false });
let nextId = 1;

// The handler reads the body.
server.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null));

/** Stores the files while they arrive. */
async function readForm({ headers, raw }: FastifyRequest): Promise<Form> {
  const parser = new Busboy({ headers: { 'content-type': headers['content-type'] ?? '' } });
  const uploads: Promise<Form['files'][number]>[] = [];
  let json = '';
  parser.on('field', (_name, value) => {
    json = value;
  });
  parser.on('file', (_name, stream, name) => {
    const upload = bucket.openUploadStream(name);
    uploads.push(pipeline(stream, upload).then(() => ({ id: upload.id, name })));
  });
  await pipeline(raw, parser);
  return { application: JSON.parse(json) as Form['application'], files: await Promise.all(uploads) };
}

server.post('/applications', async (request, reply) => {
  const { application, files } = await readForm(request);
  const stored = { _id: nextId++, ...application, files, receivedAt: new Date() };
  await applications.insertOne(stored);
  return reply.code(201).send({ data: stored, warnings: [] });
});
server.get('/readyz', async () => ({}));

await server.listen({ host: '127.0.0.1', port: Number(PORT) });
