import { Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams } from './fields.ts';

const operation = operationsOf('shortlink');

const LinkOfJob = { url: Type.String({ maxLength: 128 }), final: Type.Boolean() };

/**
 * For `jobs`: the link of a job, the same one however often it is asked for. `final` is false where the address
 * is only the fallback `{search_url}/Share/Job<id>`: ask again later.
 */
export const createLink = operation('create', {
  summary: 'Make the short link of a job',
  params: NoParams,
  body: Type.Object({ jobId: Int32() }),
  reply: Type.Object(LinkOfJob),
});

/** For `jobs`: the same for several jobs at once. A job for which there was no time is left out of the reply. */
export const createLinks = operation('create-many', {
  summary: 'Make the short links of jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { minItems: 1, maxItems: 100 }) }),
  reply: Type.Object({ links: Type.Array(Type.Object({ jobId: Int32(), ...LinkOfJob })) }),
});

/** For how long from when it was asked for a link made ahead may be given to a job. Some minutes later it goes, if no job has it. */
export const LINK_AHEAD_MS = 30_000;

/**
 * For `jobs`: makes the links of jobs that may come to be soon. Not in the reply are those that have one already, and those for
 * which it cannot be done for nothing: a link that is counted or paid for is made once its job asks for it.
 */
export const createLinksAhead = operation('create-ahead', {
  summary: 'Make short links ahead of their jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { minItems: 1, maxItems: 100 }) }),
  reply: Type.Object({ links: Type.Array(Type.Object({ jobId: Int32(), url: LinkOfJob.url })) }),
});

/** For the gateway: where a code leads to. */
export const resolveLink = operation('resolve', {
  summary: 'Follow a short link',
  params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: undefined,
  reply: Type.Object({ location: Type.String() }),
  errors: ['link_not_found'],
});

/** For `jobs`: removes the links of jobs that are gone. Removing what is not there is no error. */
export const removeLinks = operation('remove', {
  summary: 'Remove the short links of jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { maxItems: 1000 }) }),
  reply: Type.Object({ removed: Type.Integer() }),
});
