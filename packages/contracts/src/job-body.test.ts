import { describe, expect, it } from '@jest/globals';
import { JobByReference, JobChanges, NewJob } from './job-body.ts';

/** Paths of the defaults in a schema. */
function defaultsIn(schema: object, path = ''): string[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === 'default') return [path];
    return typeof value === 'object' && value !== null ? defaultsIn(value, `${path}/${name}`) : [];
  });
}

describe('the body of an update', () => {
  it.each([
    ['PUT /jobs/{id}', JobChanges],
    ['PUT /jobs', JobByReference],
  ])('of %s has no defaults, which generated clients would send', (_name, schema) => {
    expect(defaultsIn(schema)).toEqual([]);
  });

  it('differs from POST /jobs, where descriptionFormat defaults to text', () => {
    expect(defaultsIn(NewJob)).toEqual(['/properties/descriptionFormat']);
  });
});
