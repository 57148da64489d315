import type { IncomingMessage } from 'node:http';

/** Whether a request is a GET of which nothing but its target and its keys says what its answer is. */
export const isPlainGet = ({ method, httpVersionMajor, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersionMajor > 0 &&
  headers['if-none-match'] === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  !headers.host?.includes(',');
