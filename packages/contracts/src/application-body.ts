import { type Static, Type } from 'typebox';
import { Nullable, Text } from './fields.ts';

/** The HTML standard's valid e-mail address. */
const Email = Type.String({ format: 'email-address', maxLength: 256 });
const Lines = (maxLength: number) => Type.String({ minLength: 1, maxLength, format: 'multiline-text' });
export const Instant = Type.String({ format: 'date-time' });

export const NewApplicant = Type.Object({
  name: Text(256, { visible: true }),
  email: Email,
  phone: Type.Optional(Nullable(Text(64))),
  location: Type.Optional(Nullable(Text(256))),
});

export const NewAnswer = Type.Object({ question: Text(256), answer: Lines(4000) });

/** How many files an application has at most, and their bytes together. */
export const FILES_MAX = 5;
export const FILES_BYTES_MAX = 5 * 1024 ** 2;
export const FILE_NAME_MAX = 255;

/** The JSON of a new application: the body itself, or the part `application` of a multipart body. */
export const NewApplication = Type.Object({
  applicant: NewApplicant,
  coverLetter: Type.Optional(Nullable(Lines(20_000))),
  answers: Type.Optional(Nullable(Type.Array(NewAnswer, { maxItems: 50 }))),
  referenceId: Type.Optional(
    Nullable(Text(64), { description: "The sender's own id, unique within its consumer key and the job." }),
  ),
  source: Type.Optional(
    Nullable(Text(64), {
      description:
        "Where the applicant came from. A source that events may have, such as `indeed`, is also counted by in the job's metrics, and these outlive an erasure: name a place there, not a person.",
    }),
  ),
  consentAt: Type.Optional(
    Nullable(Instant, { description: 'When the applicant consented. Kept and shown as proof.' }),
  ),
});
export type NewApplication = Static<typeof NewApplication>;

/** A new application with the files of a multipart body. JSON has no bytes, so it can bring none. */
export const Submission = Type.Object({
  ...NewApplication.properties,
  files: Type.Optional(
    Type.Array(Type.Object({ name: Type.String(), content: Type.Unsafe<Uint8Array>({}) }), {
      maxItems: FILES_MAX,
    }),
  ),
});
