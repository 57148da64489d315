import { describe, expect, it } from '@jest/globals';
import { dateIn, jobBody, newReference, useWorld } from '../../src/index.ts';

const world = useWorld();
const create = (overrides: Record<string, unknown> = {}) =>
  world.api.post('/jobs', jobBody(world.companyId, overrides));

describe('201', () => {
  it('answers with Location and the job', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const { id } = answer.json.data;
    expect(answer.headers.get('location')).toBe(`${world.origin}/v1.0/jobs/${id}`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.json.warnings).toEqual([]);
    expect((await world.api.get(`/jobs/${id}`)).json.data).toEqual(answer.json.data);
  });

  const statuses: [string, Record<string, unknown>, number][] = [
    ['Published when published in the past', { publishDate: dateIn(-2), closeDate: null }, 1],
    ['Published until a future close', { publishDate: dateIn(-2), closeDate: dateIn(10) }, 1],
    ['Pending when published later', { publishDate: dateIn(5), closeDate: null }, 3],
    ['Closed when closed in the past', { publishDate: dateIn(-9), closeDate: dateIn(-2) }, 2],
    ['Closed with a close before a future publication', { publishDate: dateIn(9), closeDate: dateIn(-2) }, 2],
  ];
  it.each(statuses)('derives: %s', async (_name, dates, statusId) => {
    expect((await create(dates)).json.data.status.id).toBe(statusId);
  });

  it('warns where a status sent differs from the derived one', async () => {
    const { json } = await create({ publishDate: dateIn(5), status: { id: 1 } });
    expect(json.data.status.id).toBe(3);
    expect(json.warnings).toEqual([
      expect.objectContaining({ code: 'status_derived', pointer: '#/status/id' }),
    ]);
  });

  it('ignores read-only properties silently and warns of unknown ones', async () => {
    const { json } = await create({
      id: 7,
      viewCount: 3,
      url: 'x',
      displayDate: 'never',
      colour: 'red',
      status: { id: 1, name: 'x' },
    });
    expect(json.warnings).toEqual([
      { code: 'unknown_field', detail: expect.any(String), pointer: '#/colour' },
    ]);
    expect(json.data.viewCount).toBe(0);
  });

  it('encodes HTML in a text description, once', async () => {
    const first = await create({ description: 'Use <b> & > wisely' });
    expect(first.json.data.description).toBe('Use &lt;b&gt; & &gt; wisely');
    expect(first.json.warnings).toEqual([expect.objectContaining({ code: 'html_encoded' })]);
    const again = await create({ description: first.json.data.description });
    expect(again.json.data.description).toBe('Use &lt;b&gt; & &gt; wisely');
    expect(again.json.warnings).toEqual([]);
  });

  it('keeps an allowed html description to the letter', async () => {
    const description =
      '<div><p>We <strong>grow</strong> <em>roses</em>.<br></p><ul><li>a &amp; b</li></ul><a href="https://example.com/?a=1&amp;b=2" target="_blank">more</a></div>';
    const { status, json } = await create({ description, descriptionFormat: 'html' });
    expect(status).toBe(201);
    expect(json.data).toMatchObject({ description, descriptionFormat: 'html' });
  });

  it('reads a nation-wide job back as it is accepted', async () => {
    const { json } = await create({ province: { country: { id: 124 } } });
    expect(json.data.province).toEqual({ id: null, name: null, country: { id: 124, name: 'Canada' } });
    expect((await create({ province: json.data.province })).status).toBe(201);
  });

  it('folds repeated categories, types and e-mails', async () => {
    const { json } = await create({
      categories: [{ id: 2 }, { id: 1 }, { id: 2 }],
      types: [{ id: 2 }, { id: 2 }],
      applicationEmails: ['a@example.com', 'a@example.com'],
    });
    expect(json.data.categories.map((category: { id: number }) => category.id)).toEqual([2, 1]);
    expect(json.data.types).toHaveLength(1);
    expect(json.data.applicationEmails).toEqual(['a@example.com']);
  });

  it('makes a category of a new name, and maps a known one', async () => {
    const name = `Topiary ${crypto.randomUUID().slice(0, 8)}`;
    const first = await create({ categories: [{ name }, { name: 'engineering' }] });
    expect(first.json.data.categories).toEqual([
      { id: expect.any(Number), name },
      { id: 8, name: 'Engineering' },
    ]);
    expect(first.json.warnings).toEqual([
      expect.objectContaining({ code: 'category_created', pointer: '#/categories/0' }),
    ]);
    const second = await create({ categories: [{ name: name.toUpperCase() }] });
    expect(second.json.data.categories).toEqual([first.json.data.categories[0]]);
    expect(second.json.warnings).toEqual([]);
  });

  it('takes id before name, whatever the name is', async () => {
    const { json } = await create({ categories: [{ id: 8, name: 'x'.repeat(99) }] });
    expect(json.data.categories).toEqual([{ id: 8, name: 'Engineering' }]);
    expect(json.warnings).toEqual([]);
  });

  it('counts lengths in code points', async () => {
    expect((await create({ title: '🌹'.repeat(256), employer: '🌹'.repeat(50) })).status).toBe(201);
  });
});

describe('409', () => {
  it('for a referenceId that is used, naming the job', async () => {
    const referenceId = newReference();
    const first = await create({ referenceId });
    const second = await create({ referenceId });
    expect(second.status).toBe(409);
    expect(second.json).toMatchObject({
      code: 'reference_id_taken',
      conflict: { id: first.json.data.id, href: `${world.origin}/v1.0/jobs/${first.json.data.id}` },
    });
  });

  it('not for the same referenceId of another company, nor after a delete', async () => {
    const { otherApi, otherCompanyId, api } = world;
    const referenceId = newReference();
    const first = await create({ referenceId });
    expect((await otherApi.post('/jobs', jobBody(otherCompanyId, { referenceId }))).status).toBe(201);
    await api.delete(`/jobs/${first.json.data.id}`);
    expect((await create({ referenceId })).status).toBe(201);
  });

  it('for all but one of many at once', async () => {
    const referenceId = newReference();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ referenceId })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

describe('422', () => {
  it('lists everything that is wrong at once', async () => {
    const { status, json } = await world.api.post('/jobs', {
      company: { id: world.companyId },
      publishDate: '2026-02-30',
      description: '<h1>Hello</h1>',
      descriptionFormat: 'html',
      applicantRoutingType: { id: 2 },
    });
    expect(status).toBe(422);
    const places = json.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]);
    expect(places).toEqual(
      expect.arrayContaining([
        ['#/title', 'required'],
        ['#/publishDate', 'invalid_date'],
        ['#/description', 'html_tag'],
        ['#/applicationUrl', 'required'],
      ]),
    );
  });

  const wrong: [string, Record<string, unknown>, string][] = [
    ['no company', { company: undefined }, '#/company'],
    ['no title', { title: undefined }, '#/title'],
    ['no publishDate', { publishDate: undefined }, '#/publishDate'],
    ['no description', { description: undefined }, '#/description'],
    ['no routing type', { applicantRoutingType: undefined }, '#/applicantRoutingType'],
    ['a null title', { title: null }, '#/title'],
    ['an empty title', { title: '' }, '#/title'],
    ['a blank title', { title: '  ' }, '#/title'],
    ['a long title', { title: 'x'.repeat(257) }, '#/title'],
    ['a long referenceId', { referenceId: 'x'.repeat(51) }, '#/referenceId'],
    ['an empty referenceId', { referenceId: '' }, '#/referenceId'],
    ['a long employer', { employer: 'x'.repeat(51) }, '#/employer'],
    ['a long city', { city: 'x'.repeat(129) }, '#/city'],
    ['a NUL', { city: 'a\0b' }, '#/city'],
    ['a lone surrogate', { title: 'a\ud800b' }, '#/title'],
    ['a string for an Int32', { company: { id: '1' } }, '#/company/id'],
    ['a fraction for an Int32', { types: [{ id: 1.5 }] }, '#/types/0/id'],
    ['an impossible date', { closeDate: '2026-13-01' }, '#/closeDate'],
    ['a date before 1970', { publishDate: '1969-12-31' }, '#/publishDate'],
    ['a date with time', { publishDate: '2026-01-01T00:00:00Z' }, '#/publishDate'],
    ['six categories', { categories: [1, 2, 3, 4, 5, 6].map((id) => ({ id })) }, '#/categories/5'],
    ['an unknown category', { categories: [{ id: 1 }, { id: 2_000_000_000 }] }, '#/categories/1/id'],
    ['an empty category', { categories: [{}] }, '#/categories/0/name'],
    ['a long category name', { categories: [{ name: 'x'.repeat(51) }] }, '#/categories/0/name'],
    ['an unknown type', { types: [{ id: 1 }, { id: 99 }] }, '#/types/1/id'],
    ['an unknown province', { province: { id: 1 } }, '#/province/id'],
    [
      'a province of another country',
      { province: { id: 840 * 46_656 + 444, country: { id: 124 } } },
      '#/province/country/id',
    ],
    ['a province without any id', { province: {} }, '#/province'],
    ['an unknown country', { province: { country: { id: 999_999 } } }, '#/province/country/id'],
    ['an unknown format', { descriptionFormat: 'markdown' }, '#/descriptionFormat'],
    ['an unknown routing type', { applicantRoutingType: { id: 3 } }, '#/applicantRoutingType/id'],
    ['a URL with routing 1', { applicationUrl: 'https://example.com/a' }, '#/applicationUrl'],
    ['no URL with routing 2', { applicantRoutingType: { id: 2 } }, '#/applicationUrl'],
    [
      'e-mails with routing 2',
      {
        applicantRoutingType: { id: 2 },
        applicationUrl: 'https://example.com',
        applicationEmails: ['a@example.com'],
      },
      '#/applicationEmails',
    ],
    [
      'an ftp URL',
      { applicantRoutingType: { id: 2 }, applicationUrl: 'ftp://example.com' },
      '#/applicationUrl',
    ],
    [
      'a URL with user information',
      { applicantRoutingType: { id: 2 }, applicationUrl: 'https://me@example.com' },
      '#/applicationUrl',
    ],
    [
      'a URL of 2,049 characters',
      { applicantRoutingType: { id: 2 }, applicationUrl: `https://e.com/${'x'.repeat(2035)}` },
      '#/applicationUrl',
    ],
    ['a wrong e-mail', { applicationEmails: ['a@example.com', 'not one'] }, '#/applicationEmails/1'],
    ['a long e-mail', { applicationEmails: [`${'a'.repeat(250)}@e.com`] }, '#/applicationEmails/0'],
    ['status 5', { status: { id: 5 } }, '#/status/id'],
    ['status 4', { status: { id: 4 } }, '#/status/id'],
  ];
  it.each(wrong)('for %s', async (_name, overrides, pointer) => {
    const { status, json } = await create(overrides);
    expect(status).toBe(422);
    expect(json).toMatchObject({
      data: null,
      warnings: [],
      code: 'validation_failed',
      title: expect.any(String),
      detail: expect.any(String),
      instance: '/v1.0/jobs',
      requestId: expect.any(String),
    });
    expect(json.errors.map((error: { pointer: string }) => error.pointer)).toEqual([pointer]);
  });

  const hostile = [
    '<script>alert(1)</script>',
    '<p onclick="x()">a</p>',
    '<p style="color:red">a</p>',
    '<a href="javascript:alert(1)">a</a>',
    '<a href="java&#x09;script:alert(1)">a</a>',
    '<a href="/relative">a</a>',
    '<a>no href</a>',
    '<a href="https://a.example" target="evil">a</a>',
    '<a href="https://a.example" href="https://b.example">a</a>',
    '<!-- comment --><p>a</p>',
    '<h1>a</h1>',
    '</span>',
    '<p',
    '<img src=x onerror=alert(1)>',
    '<svg><p>a</p></svg>',
    '<![CDATA[x]]>',
    '<!doctype html>',
    '<?php x ?>',
  ];
  it.each(hostile)('for the html description %s', async (description) => {
    const { status, json } = await create({ description, descriptionFormat: 'html' });
    expect(status).toBe(422);
    for (const error of json.errors) {
      expect(error).toMatchObject({
        pointer: '#/description',
        code: expect.stringMatching(/^html_/),
        detail: expect.stringMatching(/line \d+, column \d+/i),
      });
    }
  });
});

describe('403', () => {
  it('for a company that the keys do not grant', async () => {
    const { status, json } = await world.api.post('/jobs', jobBody(world.otherCompanyId));
    expect(status).toBe(403);
    expect(json.code).toBe('company_forbidden');
  });

  it('comes after what is wrong with the body', async () => {
    expect((await world.api.post('/jobs', jobBody(world.otherCompanyId, { title: 5 }))).status).toBe(422);
  });

  it('for a consumer key without jobs:write', async () => {
    const { operator, userKey, companyId, origin } = world;
    const { secret } = await operator.consumerKey(['jobs:read']);
    const answer = await fetch(`${origin}/v1.0/jobs`, {
      method: 'POST',
      headers: { 'Consumer-API-Key': secret, 'User-API-Key': userKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(jobBody(companyId)),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'scope_missing' });
  });
});
