import type { Readable } from 'node:stream';
import { JobListingError } from '@joblisting/client';
import { NewApplication, routing } from '@joblisting/contracts';
import { compileBody } from '@joblisting/service-kit';
import { networkOf } from '@joblisting/service-kit/http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { KeyMissing } from '../clients/api.ts';
import {
  type FieldError,
  fieldErrors,
  type FormValues,
  ownErrors,
  toApplication,
  valuesOf,
} from '../domain/application-form.ts';
import { showInstant } from '../domain/dates.ts';
import { randomId } from '../domain/tokens.ts';
import { networkLimiter } from '../http/limits.ts';
import type { PostingDocument } from '../models/posting.ts';
import type { ServerContext } from './context.ts';
import { sendGone } from './errors.ts';
import { findPosting, JOB_PAGE } from './find-posting.ts';
import { type FormBody, FormError, readForm } from './form-body.ts';
import { basePathOf, type Views } from './views.ts';
import { isFromOtherSite } from './visitor.ts';

type JobRequest = FastifyRequest<{ Params: { id: string }; Querystring: { receipt?: unknown } }>;

/** What the form shows besides the job. */
interface FormState {
  readonly values: FormValues;
  readonly errors?: readonly FieldError[];
  /** A problem that is not of a field. */
  readonly notice?: string;
  /** Sent again as it was; by default the form makes a new application. */
  readonly token?: string;
}

const APPLY = `${JOB_PAGE}/apply`;
const APPLIED = `${JOB_PAGE}/applied`;
/** Forms that are read and handed in at once: each takes up to 15 MB of memory. */
const MAX_UPLOADS = 12;
const MAX_UPLOADS_OF_A_NETWORK = 4;
const TRY_LATER_SECONDS = 60;
const HOUR_MS = 3600_000;
const EMPTY = valuesOf(new Map());
const COOKIE_VALUE = /^[\w-]{16}$/;
const checkApplication = compileBody(NewApplication).check;

const NOT_NOW = 'Applications cannot be sent at the moment. Please try again in a minute.';
const KEPT = 'Your text is kept below. Files must be chosen again.';

/** The form of an application, and its receipt. */
export async function serveApplying(
  server: FastifyInstance,
  context: ServerContext,
  views: Views,
): Promise<void> {
  const { api, tokens, visits, submissions, clock, config, log } = context;
  const base = basePathOf(config.SEARCH_URL);
  const isHttps = config.SEARCH_URL.startsWith('https:');
  const cookieName = isHttps ? '__Host-apply' : 'apply';

  const message = (reply: FastifyReply, status: number, title: string, text: string) =>
    views.send(reply.code(status), 'message', { title, text });

  const cookieOf = ({ headers }: FastifyRequest): string => {
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    const value = pairs.find(([name]) => name === cookieName)?.[1] ?? '';
    return COOKIE_VALUE.test(value) ? value : '';
  };

  const showForm = (
    request: FastifyRequest,
    reply: FastifyReply,
    posting: PostingDocument,
    { values, errors = [], notice, token }: FormState,
  ): FastifyReply => {
    const cookie = cookieOf(request) || randomId();
    const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
    reply.headers({
      'Set-Cookie': `${cookieName}=${cookie}; ${attributes}`,
      'Cache-Control': 'no-store',
      // Without a referrer, browsers send `Origin: null` with the form.
      'Referrer-Policy': 'same-origin',
    });
    const formToken = token ?? tokens.forForm(posting._id, cookie, clock.now());
    return views.send(reply, 'apply', { posting, values, errors, notice, token: formToken });
  };

  /** The job, if it takes applications here. Otherwise answers why not. */
  const openPosting = async (
    request: JobRequest,
    reply: FastifyReply,
  ): Promise<PostingDocument | undefined> => {
    const found = await findPosting(context, Number(request.params.id));
    if (found === undefined) reply.callNotFound();
    else if (found.state === 'deleted') sendGone(reply, views);
    else if (found.state === 'closed') sendClosed(reply);
    else if (found.posting.routingId !== routing.default)
      reply.redirect(`${base}/Share/Job${found.posting._id}`, 302);
    else return found.posting;
    return undefined;
  };
  const sendClosed = (reply: FastifyReply) =>
    message(reply, 409, 'This job is closed', 'The employer takes no more applications for this job.');

  const showReceipt = (reply: FastifyReply, jobId: number, reference: string, files: number) => {
    const receipt = tokens.forReceipt(jobId, { reference, files, at: clock.now() });
    return reply.redirect(`${base}/Share/Job${jobId}/applied?receipt=${receipt}`, 303);
  };

  /** Hands in the application and answers. */
  const submit = async (
    request: FastifyRequest,
    reply: FastifyReply,
    posting: PostingDocument,
    form: { body: FormBody; values: FormValues; token: string; reference: string },
  ): Promise<FastifyReply> => {
    const { body, values, token, reference } = form;
    const show = (status: number, state: Partial<FormState>) =>
      showForm(request, reply.code(status), posting, { values, ...state });
    const names = body.files.map(({ name }) => name);
    const own = ownErrors(values, { names, bytes: body.fileBytes });
    if (own.length > 0) {
      const unsent = toApplication(values, reference, new Date(clock.now()));
      return show(422, { errors: [...fieldErrors(checkApplication(unsent), values, names), ...own] });
    }
    const sent = await visits.countAttempt(networkOf(request.ip), clock.now());
    if (sent > config.APPLICATIONS_PER_HOUR) {
      const seconds = Math.ceil((HOUR_MS - (clock.now() % HOUR_MS)) / 1000);
      const notice = `Too many applications came from your network. Please try again in ${Math.ceil(seconds / 60)} minutes. ${KEPT}`;
      reply.header('Retry-After', seconds);
      return show(429, { notice, token });
    }
    const consentAt = await submissions.firstSentAt(reference, clock.now());
    const application = toApplication(values, reference, consentAt);
    try {
      const { data } = await api.apply(posting._id, application, body.files, reference);
      return showReceipt(reply, posting._id, reference, data.files.length);
    } catch (err) {
      if (!(err instanceof JobListingError || err instanceof KeyMissing)) throw err;
      const { status, code } = err instanceof JobListingError ? err : { status: 503, code: 'no_key' };
      if (code === 'job_not_found') return sendGone(reply, views);
      if (code === 'job_not_open' || code === 'applications_not_collected') return sendClosed(reply);
      if (code === 'idempotency_key_reused') {
        const text = 'This form was sent before with other content. To apply again, open a new form.';
        return message(reply, 409, 'You have applied already', text);
      }
      const errors = status === 422 ? fieldErrors((err as JobListingError).violations, values, names) : [];
      if (errors.length > 0) return show(422, { errors });
      log.warn({ err, jobId: posting._id }, 'an application could not be handed in');
      reply.header('Retry-After', TRY_LATER_SECONDS);
      return show(503, { notice: `${NOT_NOW} ${KEPT}`, token });
    }
  };

  await server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: Readable) =>
      readForm(payload, request.headers),
    );
    scope.setErrorHandler(async (err: FastifyError, _request, reply) => {
      const { statusCode = 500 } = err;
      if (statusCode >= 500) throw err;
      const text =
        statusCode === 413 ? 'Send at most 5 files with 5 MB together.' : 'Please open the form again.';
      return message(reply, statusCode, 'The form could not be read', text);
    });
    const uploads = networkLimiter(MAX_UPLOADS, MAX_UPLOADS_OF_A_NETWORK);
    scope.addHook('onRequest', async (request, reply) => {
      if (request.method !== 'POST') return undefined;
      if (isFromOtherSite(request, config.SEARCH_URL)) {
        const text = 'It came from another site. Please open the form here.';
        return message(reply, 403, 'The form was not sent', text);
      }
      const { ip } = request;
      if (uploads.tryAcquire(ip)) {
        reply.raw.once('close', () => uploads.release(ip));
        return undefined;
      }
      reply.header('Retry-After', TRY_LATER_SECONDS);
      return message(reply, 503, 'Please try again in a minute', 'Too many applications are being sent.');
    });

    scope.get(APPLY, async (request: JobRequest, reply) => {
      const posting = await openPosting(request, reply);
      if (posting === undefined) return reply;
      if (await api.hasKey()) return showForm(request, reply, posting, { values: EMPTY });
      reply.header('Retry-After', TRY_LATER_SECONDS);
      return message(reply, 503, 'Please try again later', NOT_NOW);
    });

    scope.post(APPLY, async (request: JobRequest, reply) => {
      const posting = await openPosting(request, reply);
      if (posting === undefined) return reply;
      const body = request.body as FormBody | undefined;
      if (body === undefined) throw new FormError(400, 'There is no form.');
      const values = valuesOf(body.fields);
      const token = body.fields.get('token') ?? '';
      const cookie = cookieOf(request);
      const reference = cookie && tokens.readForm(token, posting._id, cookie, clock.now());
      if (!reference) {
        const notice = `The form was open for too long, or your browser blocks cookies. ${KEPT}`;
        return showForm(request, reply.code(403), posting, { values, notice });
      }
      // People do not see this field. Robots shall not learn that it gives them away.
      if (body.fields.get('website')) return showReceipt(reply, posting._id, reference, body.files.length);
      return submit(request, reply, posting, { body, values, token, reference });
    });

    scope.get(APPLIED, async (request: JobRequest, reply) => {
      const jobId = Number(request.params.id);
      const receipt = tokens.readReceipt(String(request.query.receipt), jobId);
      if (receipt === undefined) return reply.callNotFound();
      const found = await findPosting(context, jobId);
      reply.header('Cache-Control', 'no-store');
      const sent = showInstant(new Date(receipt.at), clock.now());
      return views.send(reply, 'receipt', { receipt, sent, posting: found?.posting, jobId });
    });
  });
}
