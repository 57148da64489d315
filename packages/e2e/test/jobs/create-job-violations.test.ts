import { describe, expect, it } from '@jest/globals';
import { jobBody, useWorld } from '../../src/index.ts';

const world = useWorld();
const create = (overrides: Record<string, unknown> = {}) =>
  world.api.post('/jobs', jobBody(world.companyId, overrides));

describe('POST /jobs › 422', () => {
  it('lists all violations at once', async () => {
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
      '#/province/id',
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
    ['a long e-mail', { applicationEmails: [`${'a'.repeat(251)}@e.com`] }, '#/applicationEmails/0'],
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
