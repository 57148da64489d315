import { type Static, Type } from 'typebox';
import { CalendarDate, Int32, Named, Nullable, OneOf, OneOfNamed, Text } from './fields.ts';

/** Job status ids (spec, "States and transitions"). */
export const status = { published: 1, closed: 2, pending: 3, draft: 5 } as const;
export const statusNames = { 1: 'Published', 2: 'Closed', 3: 'Pending', 5: 'Draft' } as const;
export type StatusId = keyof typeof statusNames;

/** How applicants are routed (spec, "Job"). */
export const routing = { default: 1, clickThrough: 2 } as const;
export const routingNames = { 1: 'Default', 2: 'Click-through' } as const;
export type RoutingId = keyof typeof routingNames;

/** The fixed job types (API decisions, "Reference data"). */
export const jobTypes = [
  { id: 1, name: 'Full-time' },
  { id: 2, name: 'Part-time' },
  { id: 3, name: 'Contract' },
  { id: 4, name: 'Temporary' },
  { id: 5, name: 'Internship' },
  { id: 6, name: 'Volunteer' },
  { id: 7, name: 'Per diem' },
  { id: 8, name: 'Other' },
] as const;

/** A company by its id alone. */
export const CompanyId = Type.Object({ id: Int32() });
export const CompanyOfJob = Named(256);
export const Country = Named(255);
export const Province = Type.Object({ ...Country.properties, country: Country });
export const JobType = Type.Object({ id: Int32(), name: Type.String() });

/** A province with its country. For a nation-wide job, id and name are null. */
export const JobProvince = Type.Object({
  id: Nullable(Int32()),
  name: Nullable(Type.String({ maxLength: 255 })),
  country: Country,
});

export const JobStatus = Type.Object({
  id: OneOfNamed([1, 2, 3, 5], statusNames),
  name: Type.String({ maxLength: 50 }),
});
export const RoutingType = Type.Object({
  id: OneOfNamed([1, 2], routingNames),
  name: Type.String({ maxLength: 50 }),
});
export const CategoryOfJob = Named(50);
export const TypeOfJob = Named(50);

const headerFields = {
  id: Int32(),
  referenceId: Nullable(Text(50)),
  company: CompanyOfJob,
  employer: Nullable(Text(50)),
  title: Text(256, { visible: true }),
  displayDate: CalendarDate(),
  city: Nullable(Text(128)),
  province: Nullable(JobProvince),
  status: JobStatus,
  viewCount: Int32({ minimum: 0 }),
  applicationCount: Int32({ minimum: 0 }),
  clickThroughCount: Int32({ minimum: 0 }),
};

/** An element of the job list (spec, "Job header"). */
export const JobHeader = Type.Object(headerFields);
export type JobHeader = Static<typeof JobHeader>;

/** A job in full (spec, "Job"). */
export const Job = Type.Object({
  ...headerFields,
  publishDate: CalendarDate(),
  closeDate: Nullable(CalendarDate()),
  categories: Type.Array(CategoryOfJob),
  types: Type.Array(TypeOfJob),
  description: Type.String(),
  descriptionFormat: OneOf(['text', 'html']),
  applicantRoutingType: RoutingType,
  applicationEmails: Type.Array(Type.String({ maxLength: 256 })),
  applicationUrl: Nullable(Type.String({ maxLength: 2048 })),
  url: Type.String({ maxLength: 128 }),
});
export type Job = Static<typeof Job>;

/** A job header with what a copy of the job needs to know of its changes. */
export const ChangedJob = Type.Object({
  ...headerFields,
  publishDate: CalendarDate(),
  closeDate: Nullable(CalendarDate()),
  version: Type.Integer({ description: 'The higher one of two is the later state.' }),
});
export type ChangedJob = Static<typeof ChangedJob>;

/** A job as far as applications for it need it. */
export const ApplicationTarget = Type.Pick(Job, [
  'id',
  'company',
  'referenceId',
  'title',
  'status',
  'applicantRoutingType',
  'applicationEmails',
  'applicationUrl',
]);
export type ApplicationTarget = Static<typeof ApplicationTarget>;

/** A custom category belongs to a company; a system category has null (spec, "Job category"). */
export const JobCategory = Type.Object({
  id: Int32(),
  name: Type.String({ maxLength: 50 }),
  company: Nullable(CompanyId),
});
export type JobCategory = Static<typeof JobCategory>;

/** A Published job as the public may see it. */
export const PublicJob = Type.Object({
  ...Type.Pick(Job, [
    'id',
    'referenceId',
    'company',
    'employer',
    'title',
    'displayDate',
    'closeDate',
    'city',
    'province',
    'categories',
    'types',
    'description',
    'descriptionFormat',
    'applicantRoutingType',
    'applicationUrl',
    'url',
  ]).properties,
  /** The higher one of two is the later state. A new name of its company or a category leaves it as it is. */
  version: Type.Integer(),
  /** When it closes: 12:00 UTC of `closeDate`. */
  closesAt: Nullable(Type.String({ format: 'date-time' })),
});
export type PublicJob = Static<typeof PublicJob>;

/** The position of a page. The gateway adds the addresses `previous` and `next`. */
export const Paging = Type.Object({
  total: Type.Integer(),
  pageSize: Type.Integer(),
  page: Type.Integer(),
  pages: Type.Integer(),
});
export type Paging = Static<typeof Paging>;

/** The position of an answer in a list that is followed. */
export const CursorPaging = Type.Object({
  next: Type.String({ description: 'The cursor with which to go on. It is there although nothing is new.' }),
  hasMore: Type.Boolean({ description: 'More can be read at once.' }),
});
export type CursorPaging = Static<typeof CursorPaging>;
