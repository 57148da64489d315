import { describe, expect, it } from '@jest/globals';
import { JobByReference, JobChanges, NewJob } from './job-body.ts';

/** Where in a schema, as paths, a property has a default. */
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
  ])('of %s has no defaults: a generated client would send them', (_name, schema) => {
    expect(defaultsIn(schema)).toEqual([]);
  });

  it('differs from that of POST /jobs, whose descriptionFormat is text where it is left out', () => {
    expect(defaultsIn(NewJob)).toEqual(['/properties/descriptionFormat']);
  });
});
