import { type Static, Type } from 'typebox';
import { CalendarDate, CategoryName, Int32, Nullable, OneOf, OneOfNamed, ReadOnly, Text } from './fields.ts';
import { Job, routingNames, statusNames } from './resources.ts';

/** Something by its id. */
export const Reference = Type.Object({ id: Int32(), name: ReadOnly(Type.String()) });

/** `{id}`, `{id, country:{id}}`, or `{country:{id}}` with no or a null id for a nation-wide job. */
export const ProvinceReference = Type.Object({
  id: Type.Optional(Nullable(Int32())),
  name: ReadOnly(Type.String()),
  country: Type.Optional(Reference),
});

/** `{id}` or `{name}`. With an id, any name is ignored (API decisions, "Unknown properties"). */
export const CategoryReference = Type.Unsafe<{ id?: number; name?: string }>({
  type: 'object',
  properties: {
    id: Int32(),
    name: { description: 'Maps to the category of this name, or makes one. Ignored beside an id.' },
  },
  if: { required: ['id'] },
  else: { required: ['name'], properties: { name: CategoryName() } },
});

export const StatusReference = Type.Object({
  id: OneOfNamed([1, 2, 3], statusNames),
  name: ReadOnly(Type.String()),
});
export const RoutingTypeReference = Type.Object({
  id: OneOfNamed([1, 2], routingNames),
  name: ReadOnly(Type.String()),
});

const optional = {
  id: ReadOnly(Job.properties.id),
  referenceId: Type.Optional(
    Nullable(Text(50), { description: "The company's own unique identifier of the job." }),
  ),
  employer: Type.Optional(
    Nullable(Text(50), { description: 'Hiring employer, where it is not the company.' }),
  ),
  closeDate: Type.Optional(Nullable(CalendarDate(), { description: 'null: no automatic closing.' })),
  displayDate: ReadOnly(Job.properties.displayDate),
  city: Type.Optional(Nullable(Text(128))),
  province: Type.Optional(Nullable(ProvinceReference)),
  categories: Type.Optional(Nullable(Type.Array(CategoryReference, { maxItems: 5 }))),
  types: Type.Optional(Nullable(Type.Array(Reference, { maxItems: 100 }))),
  descriptionFormat: Type.Optional(OneOf(['text', 'html'])),
  applicationEmails: Type.Optional(
    Nullable(Type.Array(Type.String({ format: 'email-address', maxLength: 256 }), { maxItems: 100 }), {
      description: 'Only for routing type 1. Addresses that get a copy of each application.',
    }),
  ),
  applicationUrl: Type.Optional(
    Nullable(Type.String({ format: 'web-url', maxLength: 2048 }), {
      description: 'Required for routing type 2, not allowed for 1.',
      examples: ['https://careers.example.com/apply/42'],
    }),
  ),
  url: ReadOnly(Job.properties.url),
  status: Type.Optional(
    Type.Unsafe<Static<typeof StatusReference>>({
      ...StatusReference,
      description:
        'In an update, 2 closes the job and 1 publishes it again; 3 is accepted only for a job that is Pending, where it changes nothing. In a new job the status follows from the dates, whatever is sent; a warning says where it differs.',
    }),
  ),
  viewCount: ReadOnly(Job.properties.viewCount),
  applicationCount: ReadOnly(Job.properties.applicationCount),
  clickThroughCount: ReadOnly(Job.properties.clickThroughCount),
};

const required = {
  company: Reference,
  title: Text(256, { visible: true }),
  publishDate: CalendarDate(),
  description: Type.String({ minLength: 1, format: 'multiline-text' }),
  applicantRoutingType: RoutingTypeReference,
};

/** The body of a partial update: every writable property, all optional (spec, "PUT /jobs/{id}"). */
export const JobChanges = Type.Object({
  ...optional,
  company: Type.Optional(required.company),
  title: Type.Optional(required.title),
  publishDate: Type.Optional(required.publishDate),
  description: Type.Optional(required.description),
  applicantRoutingType: Type.Optional(required.applicantRoutingType),
});
export type JobChanges = Static<typeof JobChanges>;

/** The body of POST /jobs (spec, "POST /jobs"). */
export const NewJob = Type.Object({
  ...required,
  ...optional,
  // Only here: a client generated from an update's schema would send the default and re-encode an HTML description.
  descriptionFormat: Type.Optional(OneOf(['text', 'html'], { default: 'text' })),
});
export type NewJob = Static<typeof NewJob>;

/** The required properties of a new job. PUT /jobs checks them only if it creates one. */
export const requiredOfNewJob = Object.keys(required) as readonly (keyof typeof required)[];

/** The body of PUT /jobs, which finds the job by referenceId and company.id (spec, "PUT /jobs"). */
export const JobByReference = Type.Object({
  ...JobChanges.properties,
  referenceId: Text(50),
  company: Reference,
});
export type JobByReference = Static<typeof JobByReference>;

/** The body of DELETE /jobs. */
export const JobReference = Type.Object({ referenceId: Text(50), company: Reference });
export type JobReference = Static<typeof JobReference>;
