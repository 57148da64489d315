// Programs for generated clients. Each prints an `Outcome` as JSON.

/** What a program saw through its client. */
export interface Outcome {
  readonly created: Text;
  readonly updated: Text;
  /** The titles on each page. */
  readonly pages: readonly (readonly string[])[];
  readonly refusal: Refusal;
}

interface Text {
  readonly title: string;
  readonly description: string;
  readonly descriptionFormat: string;
}

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly violations: readonly { readonly pointer: string; readonly code: string }[];
}

const typeScriptStart = `
const { COMPANY_ID, DESCRIPTION = '', CONSUMER_KEY = '', USER_KEY = '' } = process.env;
const companyId = Number(COMPANY_ID);
const job: NewJob = {
  company: { id: companyId },
  title: 'Groom',
  publishDate: '2026-01-02',
  description: DESCRIPTION,
  descriptionFormat: 'html',
  applicantRoutingType: { id: 1 },
};
`;

const typeScriptEnd = `
const textOf = ({ title, description, descriptionFormat }: Job) => ({ title, description, descriptionFormat });
const { status, code, errors } = refused;
const refusal = { status, code, violations: errors.map(({ pointer, code }) => ({ pointer, code })) };
console.log(JSON.stringify({ created: textOf(created.data), updated: textOf(updated.data), pages, refusal }));
`;

export const openapiFetchProgram = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Job = components['schemas']['Job'];
type NewJob = components['schemas']['NewJob'];
${typeScriptStart}
const client = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? '',
  headers: { 'Consumer-API-Key': CONSUMER_KEY, 'User-API-Key': USER_KEY },
});

const { data: created, error } = await client.POST('/jobs', { body: job });
if (!created) throw new Error(error.detail);
const params = { path: { id: created.data.id } };
await client.PUT('/jobs/{id}', { params, body: { title: 'Gardener' } });
const { data: updated } = await client.GET('/jobs/{id}', { params });
if (!updated) throw new Error('The job is gone.');

const pages: string[][] = [];
for (let page = 1, count = 1; page <= count; page++) {
  const { data: list } = await client.GET('/jobs', {
    params: { query: { 'company.id': companyId, pageSize: 2, page } },
  });
  if (!list) throw new Error('The list is gone.');
  count = list.paging.pages;
  pages.push(list.data.map(({ title }) => title));
}

const { error: refused } = await client.POST('/jobs', { body: { ...job, title: '', description: '' } });
if (!refused) throw new Error('The job was not refused.');
${typeScriptEnd}`;

export const heyApiProgram = `
import { createJob, getJob, type Job, listJobs, type NewJob, updateJob } from './api/index.js';
import { client } from './api/client.gen.js';
${typeScriptStart}
const keys = new Map([['Consumer-API-Key', CONSUMER_KEY], ['User-API-Key', USER_KEY]]);
client.setConfig({ auth: ({ name = '' }) => keys.get(name) });

const { data: created } = await createJob({ body: job, throwOnError: true });
const path = { id: created.data.id };
await updateJob({ path, body: { title: 'Gardener' }, throwOnError: true });
const { data: updated } = await getJob({ path, throwOnError: true });

const pages: string[][] = [];
for (let page = 1, count = 1; page <= count; page++) {
  const { data: list } = await listJobs({
    query: { 'company.id': companyId, pageSize: 2, page },
    throwOnError: true,
  });
  count = list.paging.pages;
  pages.push(list.data.map(({ title }) => title));
}

const { error: refused } = await createJob({ body: { ...job, title: '', description: '' } });
if (!refused) throw new Error('The job was not refused.');
${typeScriptEnd}`;

export const pythonProgram = `
import datetime, json, os
import attrs
from api import AuthenticatedClient
from api.api.jobs import create_job, get_job, list_jobs, update_job
from api.models import (
    JobChanges, NewJob, NewJobDescriptionFormat, Problem, Reference, RoutingTypeReference, RoutingTypeReferenceId,
)

client = AuthenticatedClient(
    base_url=os.environ["BASE_URL"],
    headers={"Consumer-API-Key": os.environ["CONSUMER_KEY"]},
    auth_header_name="User-API-Key",
    prefix="",
    token=os.environ["USER_KEY"],
    raise_on_unexpected_status=True,
)
company_id = int(os.environ["COMPANY_ID"])
job = NewJob(
    company=Reference(id=company_id),
    title="Groom",
    publish_date=datetime.date(2026, 1, 2),
    description=os.environ["DESCRIPTION"],
    description_format=NewJobDescriptionFormat.HTML,
    applicant_routing_type=RoutingTypeReference(id=RoutingTypeReferenceId.DEFAULT),
)

created = create_job.sync(client=client, body=job).data
update_job.sync(created.id, client=client, body=JobChanges(title="Gardener"))
updated = get_job.sync(created.id, client=client).data

pages, page, count = [], 1, 1
while page <= count:
    answer = list_jobs.sync(client=client, company_id=company_id, page_size=2, page=page)
    pages.append([header.title for header in answer.data])
    page, count = page + 1, answer.paging.pages

refused = create_job.sync(client=client, body=attrs.evolve(job, title="", description=""))
assert isinstance(refused, Problem)
violations = [{"pointer": violation.pointer, "code": violation.code} for violation in refused.errors]
refusal = {"status": refused.status, "code": refused.code, "violations": violations}

def text_of(job):
    return {"title": job.title, "description": job.description, "descriptionFormat": job.description_format.value}

print(json.dumps({"created": text_of(created), "updated": text_of(updated), "pages": pages, "refusal": refusal}))
`;
