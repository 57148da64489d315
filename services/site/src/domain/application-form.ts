import { FILES_BYTES_MAX, FILES_MAX, type NewApplication } from '@joblisting/contracts';

/** The fields that an applicant fills in, in the order of the form. */
export const fieldNames = ['name', 'email', 'phone', 'location', 'coverLetter', 'files', 'consent'] as const;
export type FieldName = (typeof fieldNames)[number];

export type FormValues = Readonly<Record<Exclude<FieldName, 'files'>, string>>;

/** What is wrong with a field, as the applicant reads it. */
export interface FieldError {
  readonly field: FieldName;
  readonly text: string;
}

/** What the API says about one place of the application. */
interface Violation {
  readonly pointer?: string | undefined;
  readonly code: string;
  readonly detail: string;
}

interface SentFiles {
  readonly names: readonly string[];
  /** All together, whether they were kept or not. */
  readonly bytes: number;
}

const MIB = 1024 ** 2;
const pointers: readonly (readonly [prefix: string, field: FieldName, label: string])[] = [
  ['#/applicant/name', 'name', 'Your name'],
  ['#/applicant/email', 'email', 'The e-mail address'],
  ['#/applicant/phone', 'phone', 'The phone number'],
  ['#/applicant/location', 'location', 'Where you live'],
  ['#/coverLetter', 'coverLetter', 'The cover letter'],
  ['#/files', 'files', 'The files'],
  ['#/consentAt', 'consent', 'The consent'],
];
/** Texts in place of the API's, for a field without a value and by error code. */
const textsForMissing: Partial<Record<FieldName, string>> = {
  name: 'Enter your name.',
  email: 'Enter your e-mail address.',
};
const textsByCode: Readonly<Record<string, string>> = {
  invalid_email: 'Enter an e-mail address such as name@example.com.',
};

export function valuesOf(fields: ReadonlyMap<string, string>): FormValues {
  const value = (name: FieldName): string => fields.get(name)?.replaceAll('\r\n', '\n').trim() ?? '';
  return {
    name: value('name'),
    email: value('email'),
    phone: value('phone'),
    location: value('location'),
    coverLetter: value('coverLetter'),
    consent: value('consent'),
  };
}

/** The application as the API takes it. A field left empty is not sent, except those that are required. */
export function toApplication(values: FormValues, referenceId: string, consentAt: Date): NewApplication {
  const { name, email, phone, location, coverLetter } = values;
  return {
    applicant: { name, email, ...(phone && { phone }), ...(location && { location }) },
    ...(coverLetter && { coverLetter }),
    referenceId,
    source: 'site',
    consentAt: consentAt.toISOString(),
  };
}

/** What the site must not, or cannot, ask the API. */
export function ownErrors({ consent }: FormValues, { names, bytes }: SentFiles): FieldError[] {
  const errors: FieldError[] = [];
  if (names.length > FILES_MAX) errors.push({ field: 'files', text: `Choose at most ${FILES_MAX} files.` });
  if (bytes > FILES_BYTES_MAX) {
    const size = (bytes / MIB).toFixed(1);
    const text = `The files have ${size} MB together; at most ${FILES_BYTES_MAX / MIB} MB are possible.`;
    errors.push({ field: 'files', text });
  }
  if (consent === '') errors.push({ field: 'consent', text: 'Tick the box to agree.' });
  return errors;
}

/** Violations of the API as errors of fields, in the order of the form. */
export function fieldErrors(
  violations: readonly Violation[],
  values: FormValues,
  fileNames: readonly string[],
): FieldError[] {
  const errors = violations.flatMap(({ pointer = '', code, detail }): FieldError[] => {
    const found = pointers.find(([start]) => pointer === start || pointer.startsWith(`${start}/`));
    if (found === undefined) return [];
    const [prefix, field, label] = found;
    if (field === 'files') {
      const name = fileNames[Number(pointer.slice(prefix.length + 1) || Number.NaN)];
      return [{ field, text: name === undefined ? detail : `${name}: ${detail}` }];
    }
    const textForMissing = values[field] === '' ? textsForMissing[field] : undefined;
    // The detail begins with the name of the API's field.
    const text = textForMissing ?? textsByCode[code] ?? detail.replace(/^\S+/, label);
    return [{ field, text }];
  });
  return errors.toSorted((one, other) => fieldNames.indexOf(one.field) - fieldNames.indexOf(other.field));
}
