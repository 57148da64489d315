import { type Static, Type } from 'typebox';
import { ViolationShape, WarningShape } from './answer-shapes.ts';
import { LISTED_AT_MOST } from './errors.ts';
import { OneOf } from './fields.ts';
import { JobByReference } from './job-body.ts';
import { Job } from './resources.ts';

/** The most items of a batch. */
export const BATCH_MAX = 500;

/** What may become of an item. */
export const itemOutcomes = ['refused', 'unchanged', 'updated', 'created'] as const;
export type ItemOutcome = (typeof itemOutcomes)[number];

/** Each item is the body of one PUT /jobs. */
export const JobBatch = Type.Object({
  items: Type.Array(JobByReference, { minItems: 1, maxItems: BATCH_MAX }),
});
export type JobBatch = Static<typeof JobBatch>;

/** What an item was refused for. */
export const ItemError = Type.Object({
  code: Type.String({ description: 'As `code` of a `Problem`.', examples: ['validation_failed'] }),
  title: Type.String(),
  detail: Type.String(),
  reason: Type.Optional(
    Type.String({ description: 'Of 503 and 504: which limit or dependency it was, as of a `Problem`.' }),
  ),
  errors: Type.Array(ViolationShape, {
    maxItems: LISTED_AT_MOST,
    description: 'Everything that is wrong. A pointer leads into the body: `#/items/3/title`.',
  }),
});
export type ItemError = Static<typeof ItemError>;

/** The answer to one item of a batch. */
export const BatchedJob = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Its place in `items`, from 0.' }),
  status: Type.Integer({
    minimum: 200,
    maximum: 599,
    description:
      'The status that PUT /jobs with this item alone would have had. 503: it was not executed; 504: it may have been. Send such items again.',
  }),
  outcome: Type.Optional(
    OneOf(itemOutcomes, { description: 'What became of it; absent where the status is 5xx.' }),
  ),
  data: Type.Optional(Job),
  error: Type.Optional(ItemError),
  warnings: Type.Optional(Type.Array(WarningShape, { maxItems: LISTED_AT_MOST })),
});
export type BatchedJob = Static<typeof BatchedJob>;
