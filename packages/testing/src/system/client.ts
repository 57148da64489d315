/** The two headers of an authenticated request. */
export interface Keys {
  readonly consumer?: string | undefined;
  readonly user?: string | undefined;
}

/** An HTTP answer, with its body parsed if it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of any shape
  readonly json: any;
}

export interface Send {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A value to send as JSON. */
  readonly body?: unknown;
  /** Text or bytes to send as they are. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** `null`: no Content-Type. */
  readonly contentType?: string | null;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

export type Client = ReturnType<typeof createClient>;

/** A client of the HTTP API with these keys. Paths are relative to `{base_url}` unless they are whole URLs. */
export function createClient(origin: string, keys: Keys = {}) {
  const send = async (path: string, options: Send = {}): Promise<Answer> => {
    const headers: Record<string, string> = {};
    if (keys.consumer) headers['Consumer-API-Key'] = keys.consumer;
    if (keys.user) headers['User-API-Key'] = keys.user;
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    if (body !== undefined && options.contentType !== null) {
      headers['Content-Type'] = options.contentType ?? 'application/json';
    }
    const answer = await fetch(path.startsWith('http') ? path : `${origin}/v1.0${path}`, {
      method: options.method ?? 'GET',
      headers: { ...headers, ...options.headers },
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(options.signal && { signal: options.signal }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, options: Send = {}) =>
      send(path, { method, body, ...options });
  return {
    send,
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    delete: withBody('DELETE'),
  };
}
