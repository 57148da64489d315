import { type NewJob, ServiceError, type Violation } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import { decideNew, makeJob, missingOfNewJob } from './new-job.ts';

const now = Date.parse('2026-03-10T15:00:00Z');
const body: NewJob = {
  company: { id: 7 },
  title: 'Welder',
  publishDate: '2026-03-01',
  description: 'Weld.',
  applicantRoutingType: { id: 1 },
};
const made = {
  id: 12,
  company: { id: 7, name: 'Acme' },
  categories: [],
  link: { url: 'https://s.example/a', linkPending: false },
};

function refused(sent: object, shape: readonly Violation[] = []): unknown[] {
  try {
    decideNew({ ...body, ...sent }, shape, now);
  } catch (error) {
    if (error instanceof ServiceError) return error.errors.map(({ pointer, code }) => [pointer, code]);
  }
  return [];
}

describe('decideNew', () => {
  it('creates a job from the smallest body; absent properties are null', () => {
    const job = makeJob(decideNew(body, [], now), made);
    expect(job).toEqual({
      id: 12,
      company: { id: 7, name: 'Acme' },
      referenceId: null,
      employer: null,
      title: 'Welder',
      publishDate: '2026-03-01',
      closeDate: null,
      city: null,
      province: null,
      categories: [],
      typeIds: [],
      description: 'Weld.',
      descriptionFormat: 'text',
      routingId: 1,
      applicationEmails: [],
      applicationUrl: null,
      url: 'https://s.example/a',
      linkPending: false,
      statusId: 1,
      version: 1,
      viewCount: 0,
      applicationCount: 0,
      clickThroughCount: 0,
    });
  });

  it('takes null lists as empty and folds repeated entries', () => {
    const decided = decideNew(
      { ...body, categories: null, types: [{ id: 2 }, { id: 1 }, { id: 2 }] },
      [],
      now,
    );
    expect(decided.categories).toEqual([]);
    expect(decided.content.typeIds).toEqual([2, 1]);
  });

  it('reports every broken rule at once', () => {
    expect(
      refused({
        types: [{ id: 1 }, { id: 99 }],
        province: {},
        description: '<h1>x',
        descriptionFormat: 'html',
        applicationUrl: 'https://example.com',
      }),
    ).toEqual([
      ['#/province', 'required'],
      ['#/types/1/id', 'unknown_id'],
      ['#/description', 'html_tag'],
      ['#/applicationUrl', 'not_allowed'],
    ]);
  });

  it('adds the rules to what is wrong with the shape, and judges no broken property', () => {
    const shape: Violation[] = [
      { pointer: '#/title', code: 'required', detail: '' },
      { pointer: '#/types/0/id', code: 'type', detail: '' },
      { pointer: '#/descriptionFormat', code: 'not_allowed', detail: '' },
    ];
    const sent = {
      title: undefined,
      types: [{ id: 'x' }],
      description: '<h1>',
      descriptionFormat: 'rtf',
      province: {},
    };
    expect(refused(sent, shape)).toEqual([
      ['#/title', 'required'],
      ['#/types/0/id', 'type'],
      ['#/descriptionFormat', 'not_allowed'],
      ['#/province', 'required'],
    ]);
  });

  it.each([
    ['a routing type that is broken', { applicantRoutingType: { id: 9 } }, '#/applicantRoutingType/id'],
    ['a URL that is broken', { applicantRoutingType: { id: 2 }, applicationUrl: 'x' }, '#/applicationUrl'],
  ])('reports no rule of the routing with %s', (_what, sent, pointer) => {
    expect(refused(sent, [{ pointer, code: 'invalid_value', detail: '' }])).toEqual([
      [pointer, 'invalid_value'],
    ]);
  });
});

describe('missingOfNewJob', () => {
  it('names what a partial body lacks', () => {
    expect(
      missingOfNewJob({ company: { id: 7 }, referenceId: 'r', publishDate: '2026-03-01' }),
    ).toMatchObject([
      { pointer: '#/title', code: 'required' },
      { pointer: '#/description', code: 'required' },
      { pointer: '#/applicantRoutingType', code: 'required' },
    ]);
  });
});
