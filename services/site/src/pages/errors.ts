import { ServiceError } from '@joblisting/contracts';
import { type Log, refusalOfDatabaseError } from '@joblisting/service-kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Views } from './views.ts';

const RETRY_AFTER_SECONDS = 1;
/** The database ended a search after its time limit. */
const MAX_TIME_EXPIRED = 50;
const FIRST_SERVER_ERROR = 500;

interface Text {
  readonly title: string;
  readonly text: string;
}
const tooLong: Text = {
  title: 'This search takes too long',
  text: 'Too many jobs match. Please add a word, a place or an employer.',
};
const failed: Text = { title: 'Something went wrong', text: 'Please try again in a moment.' };
const texts: Readonly<Record<number, Text>> = {
  400: { title: 'This request cannot be read', text: 'Something in the address or the form is not right.' },
  404: { title: 'Page not found', text: 'There is no page at this address. The job may be gone.' },
  413: { title: 'Too large', text: 'What was sent is larger than this site takes.' },
  414: { title: 'The address is too long', text: 'Please use fewer or shorter words.' },
  500: failed,
  503: { title: 'Many people are here now', text: 'Please try again in a moment.' },
};

export type SendError = (reply: FastifyReply, status: number, text?: Text) => FastifyReply;

/** Sends an error as a page. */
export const errorPages =
  (views: Views): SendError =>
  (reply, status, text) => {
    if (status === 503) reply.header('Retry-After', RETRY_AFTER_SECONDS);
    const shown = text ?? texts[status] ?? texts[status < FIRST_SERVER_ERROR ? 400 : 500];
    return views.send(reply.code(status).header('Cache-Control', 'no-store'), 'message', { ...shown });
  };

/** Says that a job was deleted. */
export const sendGone = (reply: FastifyReply, views: Views): FastifyReply =>
  views.send(reply.code(410), 'message', {
    title: 'This job is gone',
    text: 'The employer has removed this job.',
  });

/** An outage has an alert of its own, and is no fault of this service. */
const isDatabaseAway = (err: unknown): boolean => refusalOfDatabaseError(err) instanceof ServiceError;

export const logLevelOf = (err: unknown): 'warn' | 'error' => (isDatabaseAway(err) ? 'warn' : 'error');

/** Answers errors, and addresses where nothing is, by pages. */
export function answerErrors(server: FastifyInstance, sendError: SendError, log: Log): void {
  server.setNotFoundHandler(async (_request, reply) => sendError(reply, 404));
  server.setErrorHandler(async (err: Error & { statusCode?: number; code?: unknown }, request, reply) => {
    const { statusCode = 500 } = err;
    if (statusCode < FIRST_SERVER_ERROR) return sendError(reply, statusCode);
    const route = request.routeOptions.url;
    if (err.code === MAX_TIME_EXPIRED) {
      log.warn({ err, route }, 'a search took too long');
      return sendError(reply, 503, tooLong);
    }
    if (err instanceof ServiceError) return sendError(reply, 503);
    log[logLevelOf(err)]({ err, route }, 'a request failed');
    return sendError(reply, isDatabaseAway(err) ? 503 : 500, failed);
  });
}
