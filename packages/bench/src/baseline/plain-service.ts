// The service of the plain bus: only calls of the MongoDB driver.
import { createJob, updateJob } from '@joblisting/contracts';
import { Ajv, type ValidateFunction } from 'ajv';
import { mongo } from 'mongoose';
import { connect, type Msg } from 'nats';

interface PlainJob {
  readonly _id: number;
  readonly [name: string]: unknown;
}

const { NATS_URL = '', MONGODB_URI = '', MONGODB_DATABASE = '', SUBJECTS = 'plain' } = process.env;
const client = await mongo.MongoClient.connect(MONGODB_URI, { writeConcern: { w: 'majority', j: true } });
const jobs = client.db(MONGODB_DATABASE).collection<PlainJob>('jobs');
const bus = await connect({ servers: NATS_URL });
const encoder = new TextEncoder();

const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
const isNewJob = ajv.compile(createJob.body as object);
const isChange = ajv.compile(updateJob.body as object);
let nextId = 1;

const headerFields = {
  referenceId: 1,
  company: 1,
  employer: 1,
  title: 1,
  displayDate: 1,
  city: 1,
  province: 1,
  status: 1,
  viewCount: 1,
  applicationCount: 1,
  clickThroughCount: 1,
} as const;

function read(isValid: ValidateFunction, message: Msg): Record<string, unknown> {
  const body = message.json<Record<string, unknown>>();
  if (!isValid(body)) throw new Error(ajv.errorsText(isValid.errors));
  return body;
}

async function page(message: Msg): Promise<object> {
  const query = message.json<Record<string, string | undefined>>();
  const statusId = query['status.id'];
  const filter = {
    'company.id': Number(query['company.id']),
    ...(statusId !== undefined && { 'status.id': Number(statusId) }),
  };
  const number = Number(query['page'] ?? 1);
  const size = Number(query['pageSize'] ?? 50);
  const [total, data] = await Promise.all([
    jobs.countDocuments(filter),
    jobs
      .find(filter, { projection: headerFields })
      .sort({ displayDate: -1, _id: -1 })
      .skip((number - 1) * size)
      .limit(size)
      .toArray(),
  ]);
  return { data, warnings: [], paging: { total, page: number, pageSize: size } };
}

const operations: Readonly<Record<string, (message: Msg) => Promise<object>>> = {
  ready: async () => ({}),
  get: async (message) => ({ data: await jobs.findOne({ _id: Number(message.string()) }), warnings: [] }),
  list: page,
  create: async (message) => {
    const job = { _id: nextId++, ...read(isNewJob, message) };
    await jobs.insertOne(job);
    return { data: job, warnings: [] };
  },
  'update.*': async (message) => {
    const id = Number(message.subject.slice(message.subject.lastIndexOf('.') + 1));
    const change = { $set: read(isChange, message) };
    return {
      data: await jobs.findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' }),
      warnings: [],
    };
  },
};

for (const [name, work] of Object.entries(operations)) {
  bus.subscribe(`${SUBJECTS}.${name}`, {
    queue: SUBJECTS,
    callback: (_error, message) =>
      void work(message).then(
        (reply) => message.respond(encoder.encode(JSON.stringify(reply))),
        (error: unknown) => process.stderr.write(`${String(error)}\n`),
      ),
  });
}
await bus.flush();
// The gateway's /readyz sends a request over the bus to check that this is ready.
