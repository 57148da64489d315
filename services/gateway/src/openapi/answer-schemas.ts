import {
  codeList,
  errorCodes,
  Nullable,
  Paging,
  reasons,
  ViolationShape,
  WarningShape,
} from '@joblisting/contracts';
import { Type } from 'typebox';
import { publicCodes } from './public-codes.ts';

const Address = Type.String({ format: 'uri' });
export const PagingWithLinks = Type.Object({
  ...Paging.properties,
  previous: Nullable(Address, { description: 'Address of the previous page; null on the first.' }),
  next: Nullable(Address, { description: 'Address of the next page; null on the last.' }),
});

export const Conflict = Type.Object(
  {
    id: Type.Integer(),
    href: Address,
    status: Type.Optional(
      Type.Object(
        { id: Type.Integer(), name: Type.String() },
        { description: 'Of `job_not_open`: the status of the job.' },
      ),
    ),
    applicationUrl: Type.Optional(
      Nullable(Address, {
        description: 'Of `applications_not_collected`: where the job sends applicants.',
      }),
    ),
  },
  { description: 'The conflicting job or category.' },
);

const titles = Object.fromEntries(publicCodes.map((code) => [code, errorCodes[code].title]));

/** Every error: the spec's envelope and an RFC 9457 problem detail at once. */
export const ErrorAnswer = Type.Object({
  data: Type.Null(),
  warnings: Type.Array(WarningShape, { maxItems: 0 }),
  type: Type.String({ format: 'uri', description: 'Where the code is explained.' }),
  title: Type.String(),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  detail: Type.String(),
  instance: Type.String({ description: 'Path of the request.' }),
  code: Type.String({ examples: ['validation_failed'], description: codeList(titles) }),
  reason: Type.Optional(
    Type.String({
      examples: ['deadline'],
      description: `Of 503 and 504, and of 429 unless it is the rate: which limit or dependency it was.\n\n${codeList(reasons)}`,
    }),
  ),
  requestId: Type.String(),
  errors: Type.Array(ViolationShape, {
    maxItems: 50,
    description: 'Everything that is wrong. Where more than 50 rules are broken, `detail` says so.',
  }),
  conflict: Type.Optional(Conflict),
  snapshot: Type.Optional(
    Type.String({ format: 'uri', description: 'Of `cursor_expired`: where all jobs are read again.' }),
  ),
});
