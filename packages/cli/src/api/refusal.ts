import { listOf, property } from '../postings/json.ts';
import type { Answer } from './client.ts';

/** One broken rule, in the API's words. */
export interface Violation {
  /** A JSON pointer into the body, or the parameter or header that is meant. */
  readonly place: string;
  readonly code: string;
  readonly detail: string;
}

/** Why a posting is not in: by the API, with its status, or by the import itself, without one. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly errors: readonly Violation[];
}

/** Reads an error answer (API decisions, "Errors"; RFC 9457). */
export function refusalOf(answer: Answer): Refusal {
  const { body, status } = answer;
  const requestId = text(property(body, 'requestId'));
  return {
    code: text(property(body, 'code')) ?? `http_${status}`,
    detail: text(property(body, 'detail')) ?? text(property(body, 'title')) ?? `Answer ${status}.`,
    status,
    ...(requestId !== undefined && { requestId }),
    errors: listOf(property(body, 'errors')).map((error) => ({
      place:
        text(property(error, 'pointer')) ??
        text(property(error, 'parameter')) ??
        text(property(error, 'header')) ??
        '',
      code: text(property(error, 'code')) ?? '',
      detail: text(property(error, 'detail')) ?? '',
    })),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
