import { Type } from 'typebox';
import { operationsOf } from './define.ts';
import { Int32, NoParams } from './fields.ts';

const operation = operationsOf('shortlink');

/**
 * For `jobs`: the link of a job, the same for every request. If `final` is false, `url` is the fallback
 * `{search_url}/Share/Job<id>`: request the link again later.
 */
export const createLink = operation('create', {
  summary: 'Make the short link of a job',
  params: NoParams,
  body: Type.Object({ jobId: Int32() }),
  reply: Type.Object({ url: Type.String({ maxLength: 128 }), final: Type.Boolean() }),
});

/** For the gateway: the target of a code. */
export const resolveLink = operation('resolve', {
  summary: 'Follow a short link',
  params: Type.Object({ code: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: undefined,
  reply: Type.Object({ location: Type.String() }),
  errors: ['link_not_found'],
});

/** For `jobs`: removes the links of deleted jobs. A job without a link is no error. */
export const removeLinks = operation('remove', {
  summary: 'Remove the short links of jobs',
  params: NoParams,
  body: Type.Object({ jobIds: Type.Array(Int32(), { maxItems: 1000 }) }),
  reply: Type.Object({ removed: Type.Integer() }),
});
