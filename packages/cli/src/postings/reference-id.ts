import { createHash } from 'node:crypto';
import { listOf, property, visibleText } from '../values.ts';

const MAX_CODE_POINTS = 50;

/**
 * The referenceId of a posting: the first candidate that is a text or a number, or its SHA-256 if it is longer than 50
 * characters (spec, "Limits"). It is the same on every run.
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

/** The values of a schema.org `identifier`, plain or in a PropertyValue. */
export function identifierValues(identifier: unknown): unknown[] {
  return listOf(identifier).map((one) => property(one, 'value') ?? one);
}
