import { createHash } from 'node:crypto';
import { listOf, property, visibleText } from './json.ts';

const MAX_CODE_POINTS = 50;

/**
 * The referenceId of a posting: the first candidate that is a text or a number, as it is where the
 * API takes it (spec, "Limits": 50 characters), else the SHA-256 of it. Both are the same on every
 * run, and no two sources share one.
 */
export function referenceId(candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const text = typeof candidate === 'number' ? String(candidate) : visibleText(candidate);
    if (text !== undefined) return Array.from(text).length <= MAX_CODE_POINTS ? text : digest(text);
  }
  return undefined;
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('base64url')}`;
}

/** The values of a schema.org `identifier`: plain ones and the `value` of a PropertyValue. */
export function identifierValues(identifier: unknown): unknown[] {
  return listOf(identifier).map((one) => property(one, 'value') ?? one);
}
