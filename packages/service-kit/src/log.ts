import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** The log for the one line of each request. */
export type RequestLog = Pick<Log, 'info' | 'debug' | 'isLevelEnabled'>;

/** For lines of fixed fields, which hold no secret: redacting costs more than writing them. */
export const requestLog = (log: Log, bindings: Readonly<Record<string, string>> = {}): RequestLog =>
  log.child(bindings, { redact: [] });

const WARN = 40;

/**
 * Standard output in chunks of up to 8 KB: one system call per line would cost a twentieth of a request. A warning or
 * an error goes out at once, with all lines before it; a process that is killed can lose 100 ms of `info` lines.
 */
function bufferedOutput(): { stream: DestinationStream; hooks: NonNullable<LoggerOptions['hooks']> } {
  const stream = pino.destination({ fd: 1, sync: true, minLength: 8192, periodicFlush: 100 });
  process.once('exit', () => stream.flush());
  return {
    stream,
    hooks: {
      logMethod(args, method, level) {
        method.apply(this, withText(args));
        if (level >= WARN) stream.flush();
      },
    },
  };
}

/** Errors whose text may be logged: connections, and configuration of the driver. */
const connectionErrors =
  /^(Mongo(ose)?ServerSelectionError|MongoNetwork.*|MongoPool.*|MongoTopology.*|MongoWaitQueueTimeoutError|MongoServerClosedError|MongoNotConnectedError|MongoParseError|MongoInvalidArgumentError|MongoMissingCredentialsError|MongooseError)$/;
/** Of MongoDB's driver and of mongoose: their texts have commands, documents or key values. */
const databaseErrors =
  /^(Mongo.*|BSON.*|CastError|ValidationError|ValidatorError|StrictModeError|VersionError|DocumentNotFoundError|ObjectParameterError|ObjectExpectedError|ArraySubdocumentLimitError|ParallelSaveError|OverwriteModelError|DivergentArrayError)$/;
const STACK_FRAME = /^\s+at .+:\d+:\d+\)?$/;
/** An error can be its own cause. */
const MAX_DEPTH = 5;

const mayHoldDocuments = (error: Error): boolean =>
  databaseErrors.test(error.name) && !connectionErrors.test(error.name);

interface DatabaseErrorFields {
  readonly code?: unknown;
  readonly codeName?: unknown;
  readonly errorLabels?: unknown;
}

/** An error as the log shows it, at any depth without the documents and key values of the database's errors. */
function describeError(error: unknown, depth = 0): unknown {
  if (Array.isArray(error)) return error.map((one: unknown) => describeError(one, depth));
  if (!Error.isError(error)) return error;
  const { name: type, message, stack, cause } = error;
  if (depth === MAX_DEPTH) return { type };
  if (databaseErrors.test(type)) {
    const { code, codeName, errorLabels: labels } = error as DatabaseErrorFields;
    const text = mayHoldDocuments(error) ? { stack: framesOf(error) } : { message, stack };
    return { type, code, codeName, labels, ...text };
  }
  const properties = [
    ...Object.entries(error),
    ...(cause === undefined ? [] : [['cause', cause] as const]),
    ...(error instanceof AggregateError ? [['errors', error.errors] as const] : []),
  ];
  const details = properties.map(([name, value]) => [name, describeError(value, depth + 1)] as const);
  return { ...Object.fromEntries(details), type, message, stack };
}

/** Without a text, pino takes the message of the error. */
function withText<A extends unknown[]>(args: A): A {
  const [fields, text] = args;
  const error = Error.isError(fields) ? fields : (fields as { err?: unknown } | undefined)?.err;
  if (text !== undefined || !Error.isError(error) || !mayHoldDocuments(error)) return args;
  return [fields, error.name] as unknown as A;
}

function framesOf({ message, stack = '' }: Error): string {
  const afterMessage = stack.slice(stack.indexOf(message) + message.length);
  return afterMessage
    .split('\n')
    .filter((line) => STACK_FRAME.test(line))
    .join('\n');
}

let output: ReturnType<typeof bufferedOutput> | undefined;

/** JSON lines; pretty on a terminal. Keys and secrets are redacted. */
export function createLog(service: string, level: string): Log {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => describeError(error) },
    redact: {
      paths: ['*.authorization', '*.secret', '*["consumer-api-key"]', '*["user-api-key"]', '*.password'],
      censor: '[redacted]',
    },
  };
  const isTerminal = process.stdout.isTTY && process.env['NODE_ENV'] !== 'production';
  if (isTerminal) {
    return pino({ ...options, transport: { target: 'pino-pretty', options: { singleLine: true } } });
  }
  const { stream, hooks } = (output ??= bufferedOutput());
  return pino({ ...options, hooks }, stream);
}
