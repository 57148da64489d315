import { isObject, listOf, property } from '../values.ts';
import type { Answer } from './client.ts';

/** One broken rule, as the API reports it (API decisions, "Errors"). */
export interface Violation {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code?: string;
  readonly detail?: string;
}

/** Why a posting was refused: by the API, with a status, or by the import, without one. */
export interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly status?: number;
  readonly requestId?: string;
  readonly errors: readonly Violation[];
}

/** Reads an error response (API decisions, "Errors"; RFC 9457). */
export function refusalOf(answer: Answer): Refusal {
  const { body, status } = answer;
  const requestId = text(property(body, 'requestId'));
  return {
    code: text(property(body, 'code')) ?? `http_${status}`,
    detail: text(property(body, 'detail')) ?? text(property(body, 'title')) ?? `Status ${status}.`,
    status,
    ...(requestId !== undefined && { requestId }),
    errors: listOf(property(body, 'errors')).filter(isObject),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
