import type { IncomingMessage } from 'node:http';

/** Whether a request is a GET of which no header changes what becomes of it, but for its keys. */
export const isPlainGet = ({ method, httpVersionMajor, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersionMajor > 0 &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  !headers.host?.includes(',');
