/** The part of a JSON schema that leads to its text fields. */
export interface TextSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, TextSchema>>;
  readonly items?: TextSchema;
  readonly else?: TextSchema;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** A text field of a schema. `path` has 0 for the entry of a list. */
export interface TextField {
  readonly path: readonly (string | number)[];
  readonly schema: TextSchema;
}

/** Every text field of a schema, however deep. */
export function textFieldsOf(schema: TextSchema, path: TextField['path'] = []): TextField[] {
  if ([schema.type].flat().includes('string')) return [{ path, schema }];
  const properties = Object.entries({ ...schema.properties, ...schema.else?.properties });
  return [
    ...(schema.items ? textFieldsOf(schema.items, [...path, 0]) : []),
    ...properties.flatMap(([name, inner]) => textFieldsOf(inner, [...path, name])),
  ];
}

/** A copy of the value with the text at the path; missing objects and lists on the way are created. */
export function withText(value: unknown, [first, ...rest]: TextField['path'], text: string): unknown {
  if (first === undefined) return text;
  if (typeof first === 'number') return [withText((value as unknown[] | undefined)?.[first], rest, text)];
  const object = value as Readonly<Record<string, unknown>> | undefined;
  return { ...object, [first]: withText(object?.[first], rest, text) };
}

const fill = (part: string, bytes: number): string =>
  part.repeat(bytes / (Buffer.byteLength(JSON.stringify(part)) - '""'.length));

/** Texts of about so many bytes in JSON on which careless code takes more than linear time. */
export const worstTexts: Readonly<Record<string, (bytes: number) => string>> = {
  'combining marks': (bytes) => `a${fill('\u0301', bytes)}`,
  'combining marks to be reordered': (bytes) => `a${fill('\u0300\u0323', bytes)}`,
  'lone surrogates': (bytes) => fill('\ud800', bytes),
  'nested tags': (bytes) => fill('<b>', bytes),
  'a long host': (bytes) => `https://${fill('a.', bytes)}example/`,
  'a long e-mail address': (bytes) => `a@${fill('a-', bytes)}`,
  'percent signs': (bytes) => `https://a.example/${fill('%', bytes)}`,
  entities: (bytes) => fill('&amp', bytes),
  'a long date': (bytes) => `2026-11-20T12:00:00.${fill('0', bytes)}Z`,
};
