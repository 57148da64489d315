import type { Deprecation, Operation, Scope } from '@joblisting/contracts';
import { BASE_PATH } from '../addresses.ts';
import type { Keys } from '../auth/credentials.ts';
import { PRIVATE, PUBLIC } from '../http/headers.ts';
import type { ReadParameters } from '../http/parameters.ts';

/** An operation that the gateway answers itself: `answer` returns its data as JSON bytes. */
export interface LocalOperation extends Pick<Operation, 'summary' | 'params' | 'body' | 'reply' | 'errors'> {
  readonly answer: (params: ReadParameters['values']) => Uint8Array;
}

export type Access = { readonly keys: 'none' } | { readonly keys: Keys; readonly scope: Scope };

/** Examples in the API description. */
export interface Examples {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly data?: unknown;
}

/** A media type that a body may have. */
export interface Content {
  /** Parameters that tell the operation which media type it is. */
  readonly params?: Readonly<Record<string, string>>;
  /** What the API description shows in place of the operation's own body. */
  readonly shown?: {
    readonly schema: object;
    readonly example: unknown;
    /** How the parts of a multipart body are encoded (OpenAPI 3.1, "Encoding Object"). */
    readonly encoding?: Readonly<Record<string, { readonly contentType: string }>>;
  };
}

/** One operation of the API. The README has the steps of a new one ("Add an endpoint"). */
export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under /v1.0; `{name}` is a parameter of the operation. */
  readonly path: string;
  /** The operation's name in the API description. */
  readonly name: string;
  readonly operation: Operation | LocalOperation;
  readonly access: Access;
  readonly tag: string;
  readonly description: string;
  /** What a 200 brings, in the API description. */
  readonly success?: string;
  /** Path of a created resource, for the Location header. */
  readonly location?: (id: number) => string;
  /** A POST that answers 200 with what an earlier request created, where it was sent again. */
  readonly findsExisting?: true;
  /** What a POST asks for begins with the answer, 202, and ends later. */
  readonly accepted?: true;
  /** The answer carries an ETag: one job, one category, a file, or a public list (API decisions, "ETag"). */
  readonly tagged?: true;
  /** The answer is the bytes of a file, without the envelope. */
  readonly answersFile?: true;
  /** The reply comes with the position of its page, as `paging` beside `data`. */
  readonly paged?: true;
  /** The reply comes with a cursor to go on with, as `paging` beside `data`. */
  readonly followed?: true;
  /** Answers NDJSON to a client that asks for it: the parameter `format` of its operation. */
  readonly answersNdjson?: true;
  /** The public cache that keeps its answers, and the parameter with which they are not kept. */
  readonly cached?: { readonly in: 'categories' | 'fixed'; readonly unless?: string };
  /** The media types of the body. */
  readonly content?: Readonly<Record<string, Content>>;
  /** The most bytes of a body, in place of BODY_LIMIT_BYTES. */
  readonly bodyLimit?: number;
  /** How long the request may take once its body is here, where that is longer than REQUEST_TIMEOUT_MS. */
  readonly timeoutMs?: number;
  /** How many bytes of the body count as much as one request, where it has many items. */
  readonly bytesOfAPlace?: number;
  /** A body need not be sent: none is an empty object. */
  readonly bodyOptional?: true;
  /** Set here where only the route goes away, not its operation. */
  readonly deprecated?: Deprecation;
  readonly examples: Examples;
}

/** Of requests with up to 500 items, which take about two seconds. A stopping process still finishes them. */
export const BATCH_TIMEOUT_MS = 6000;
/** Of the same requests: a small item costs as much as a large one. */
export const BATCH_BYTES_OF_A_PLACE = 16 * 1024;

export const JSON_ONLY: NonNullable<Row['content']> = { 'application/json': {} };

/** Parameters of an operation that come from headers. */
const FROM_HEADERS = new Set(['ifMatch', 'format', 'contentType']);

/** The service that executes the row's operation; undefined for the gateway itself. */
export const ownerOf = ({ operation }: Row): string | undefined =>
  'owner' in operation ? operation.owner : undefined;

/** Set where the row is deprecated by itself or with its operation. */
export const deprecationOf = ({ deprecated, operation }: Row): Deprecation | undefined =>
  deprecated ?? ('deprecated' in operation ? operation.deprecated : undefined);

/** The row's path in the router's syntax. */
export const urlOf = ({ path }: Row): string => BASE_PATH + path.replaceAll(/\{([^}]+)\}/g, ':$1');

export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name as string);

/** The names of the operation's parameters that come from path or query. */
export function parametersOf({ operation }: Row): string[] {
  return propertiesOf(operation).filter((name) => !FROM_HEADERS.has(name));
}

/** POST only: a method override makes it the request of another row (API decisions, "Idempotency-Key"). */
export const takesIdempotencyKey = ({ method, operation }: Row): boolean =>
  method === 'POST' && 'takesIdempotencyKey' in operation && operation.takesIdempotencyKey;

export const takesDryRun = ({ operation }: Row): boolean => propertiesOf(operation).includes('dryRun');

export const takesIfMatch = ({ operation }: Row): boolean => propertiesOf(operation).includes('ifMatch');

/** The operation reads more from Content-Type than its media type, such as a boundary. */
export const takesContentType = ({ operation }: Row): boolean =>
  propertiesOf(operation).includes('contentType');

const propertiesOf = ({ params }: Pick<Operation, 'params'>): string[] =>
  Object.keys((params as { properties?: object }).properties ?? {});

export const cacheControlOf = ({ access }: Row): string => (access.keys === 'none' ? PUBLIC : PRIVATE);
