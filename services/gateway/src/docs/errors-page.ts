import {
  type ErrorCode,
  errorCodes,
  type ErrorKind,
  LISTED_AT_MOST,
  reasons,
  rejectionMeanings,
  statusOf,
  violationMeanings,
  warningMeanings,
} from '@joblisting/contracts';
import type { Addresses } from '../addresses.ts';
import { publicCodes } from '../openapi/public-codes.ts';
import { escapeHtml, layout } from './layout.ts';
import type { Page } from './serve.ts';

/** What a caller can do about each kind of refusal. */
const advice: Readonly<Record<ErrorKind, string>> = {
  unparsable:
    'Correct the request; <code>detail</code> and <code>errors</code> say what is wrong. Retrying unchanged will fail again.',
  unauthenticated: 'Send valid keys. Missing, malformed, unknown, expired and revoked keys look the same.',
  forbidden: 'The keys are valid but do not grant this. A scope or a company is granted by the operator.',
  notFound: 'Check the address. What belongs to another company looks as if it did not exist.',
  methodNotAllowed: 'Use one of the methods in the <code>Allow</code> header.',
  conflict: '<code>conflict.href</code>, if present, is the conflicting resource.',
  gone: 'Read all jobs at <code>snapshot</code>, and go on with the cursor at its end.',
  preconditionFailed: 'Read the resource again, and send the change with its new ETag.',
  tooLarge: 'Send less.',
  unsupportedMediaType:
    'Send JSON in UTF-8 with <code>Content-Type: application/json</code>, or another type that the operation takes, uncompressed.',
  invalid: 'Correct what <code>errors</code> lists; it lists everything at once.',
  rateLimited:
    'Send it again after <code>Retry-After</code> seconds; <code>RateLimit</code> says what is left before it comes to that. Without valid keys, too many such requests came from this address: send valid keys, they are not affected.',
  internal: 'Tell the operator the <code>requestId</code>.',
  unavailable: 'The request was not executed. Send it again after <code>Retry-After</code> seconds.',
  timeout:
    'The outcome is unknown. Send the same request again; a POST with the same <code>Idempotency-Key</code>, or after a look whether it happened.',
};

/** Advice for codes whose kind says too little. */
const ownAdvice: Partial<Record<ErrorCode, string>> = {
  system_category: 'No key can change system categories.',
  job_not_open:
    'Only a Published job takes applications; <code>conflict.status</code> says what this one is. Show the applicant that the job is closed, or not open yet.',
  applications_not_collected:
    'Lead the applicant to <code>conflict.applicationUrl</code>: this job collects no applications here.',
  file_not_scanned: 'Send it again after <code>Retry-After</code> seconds.',
  malformed_multipart:
    'Send <code>multipart/form-data</code> with its boundary: one part <code>application</code> that is JSON, and up to 5 parts <code>file</code>, each with a file name.',
  consumer_concurrency:
    'The request was not executed. Send it again after <code>Retry-After</code> seconds, and fewer at once; large pages, bodies and answers count as several. More than 16 MiB a second of bodies and answers over 64 KiB are refused as well.',
  idempotency_key_in_flight:
    'Send the same request with the same key again after <code>Retry-After</code> seconds: the answer to the first one is given then.',
  idempotency_key_reused:
    'Within 24 hours a key stands for one request: same method, path, parameters and body. Send another request with a new key.',
};

/** GET /docs/errors: the page behind the `type` of every error (RFC 9457, section 3.1.1). */
export function errorsPage(addresses: Addresses): Page {
  const summary = 'Every code of an error answer: what it means and what to do about it.';
  return layout(addresses, { path: '/docs/errors', title: 'Error codes', summary, body: errorsHtml() });
}

function errorsHtml(): string {
  const sections = publicCodes.map((code) => {
    const { title, kind } = errorCodes[code];
    return `<section id="${code}"><h2><code>${code}</code> <small>${statusOf(code)}</small></h2>
<p><strong>${title}.</strong> ${ownAdvice[code] ?? advice[kind]}</p></section>`;
  });
  return `<main id="content" class="errors">
<h1>Error codes</h1>
<p>Every error answer carries one of these codes in <code>code</code>, and the address of its section here in <code>type</code>.</p>
${sections.join('\n')}
<h2 id="violations">Violations</h2>
<p><code>errors</code> lists everything that is wrong, each with one of these codes and a <code>pointer</code>, <code>parameter</code> or <code>header</code>. Where more than ${LISTED_AT_MOST} rules are broken, <code>detail</code> says so.</p>
${listOf('violation', violationMeanings)}
<h2 id="warnings">Warnings</h2>
<p>A request that succeeded may have <code>warnings</code>, each with one of these codes.</p>
${listOf('warning', warningMeanings)}
<h2 id="rejections">Rejected events</h2>
<p>The answer to a batch of metrics events lists those that were not counted in <code>rejected</code>, each with one of these codes.</p>
${listOf('rejection', rejectionMeanings)}
<h2 id="reasons">Reasons</h2>
<p>Every 503 and 504, and a 429 for another limit than the rate, says in <code>reason</code> which limit or dependency it was.</p>
${listOf('reason', reasons)}
</main>`;
}

function listOf(kind: string, meanings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(meanings).map(
    ([code, meaning]) => `<dt id="${kind}-${code}"><code>${code}</code></dt><dd>${escapeHtml(meaning)}</dd>`,
  );
  return `<dl>${rows.join('\n')}</dl>`;
}
