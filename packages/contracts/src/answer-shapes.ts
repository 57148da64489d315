import { Type } from 'typebox';
import { violationMeanings, warningMeanings } from './errors.ts';

const Where = {
  pointer: Type.Optional(
    Type.String({ description: 'JSON Pointer into the body, e.g. #/categories/5.', pattern: '^#' }),
  ),
  parameter: Type.Optional(Type.String({ description: 'Name of a path or query parameter.' })),
};

/** Codes may be added, so they are no enumeration. */
export const codeList = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n');

/** A `Warning` in an answer. */
export const WarningShape = Type.Object(
  {
    code: Type.String({ examples: ['unknown_field'], description: codeList(warningMeanings) }),
    detail: Type.String(),
    ...Where,
  },
  { description: 'Something notable about a request that went through.' },
);

/** A `Violation` in an answer. */
export const ViolationShape = Type.Object(
  {
    ...Where,
    header: Type.Optional(Type.String({ description: 'Name of a request header.' })),
    code: Type.String({ examples: ['required'], description: codeList(violationMeanings) }),
    detail: Type.String(),
  },
  { description: 'Where and how the request breaks a rule.' },
);
