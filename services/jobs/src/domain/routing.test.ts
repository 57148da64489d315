import type { JobChanges } from '@joblisting/contracts';
import { describe, expect, it } from '@jest/globals';
import { newFindings } from './findings.ts';
import { route } from './routing.ts';

const url = 'https://careers.example.com/1';
const byMail = { routingId: 1 as const, applicationEmails: ['a@example.com'], applicationUrl: null };
const clickThrough = { routingId: 2 as const, applicationEmails: [], applicationUrl: url };
const to1 = { applicantRoutingType: { id: 1 as const } };
const to2 = { applicantRoutingType: { id: 2 as const } };

describe('route gives', () => {
  it.each<[string, Parameters<typeof route>[0], JobChanges, object]>([
    ['nothing new for an empty body', byMail, {}, byMail],
    [
      'each e-mail once',
      byMail,
      { applicationEmails: ['b@x.example', 'c@x.example', 'b@x.example'] },
      { ...byMail, applicationEmails: ['b@x.example', 'c@x.example'] },
    ],
    ['no e-mails for null', byMail, { applicationEmails: null }, { ...byMail, applicationEmails: [] }],
    ['no URL for a null one under type 1', byMail, { applicationUrl: null }, byMail],
    ['no e-mails after a switch to 2', byMail, { ...to2, applicationUrl: url }, clickThrough],
    ['no URL after a switch to 1', clickThrough, to1, { ...byMail, applicationEmails: [] }],
    [
      'the new e-mails after a switch to 1',
      clickThrough,
      { ...to1, applicationEmails: ['a@example.com'] },
      byMail,
    ],
    ['the URL that is there when 2 is sent again', clickThrough, to2, clickThrough],
    ['empty e-mails under type 2', clickThrough, { applicationEmails: [] }, clickThrough],
    [
      'a new URL',
      clickThrough,
      { applicationUrl: `${url}0` },
      { ...clickThrough, applicationUrl: `${url}0` },
    ],
  ])('%s', (_what, before, body, expected) => {
    const findings = newFindings();
    expect(route(before, body, false, findings)).toEqual(expected);
    expect(findings.violations).toEqual([]);
  });
});

describe('route refuses', () => {
  it.each<[string, Parameters<typeof route>[0], JobChanges, string, string]>([
    ['a URL under type 1', byMail, { applicationUrl: url }, '#/applicationUrl', 'not_allowed'],
    [
      'a URL sent with the switch to 1',
      clickThrough,
      { ...to1, applicationUrl: url },
      '#/applicationUrl',
      'not_allowed',
    ],
    [
      'e-mails under type 2',
      clickThrough,
      { applicationEmails: ['a@x.example'] },
      '#/applicationEmails',
      'not_allowed',
    ],
    ['a switch to 2 without a URL', byMail, to2, '#/applicationUrl', 'required'],
    ['a null URL under type 2', clickThrough, { applicationUrl: null }, '#/applicationUrl', 'required'],
  ])('%s', (_what, before, body, pointer, code) => {
    const findings = newFindings();
    route(before, body, false, findings);
    expect(findings.violations).toMatchObject([{ pointer, code }]);
  });

  it('no missing URL where one was sent that breaks its shape', () => {
    const findings = newFindings();
    route(byMail, to2, true, findings);
    expect(findings.violations).toEqual([]);
  });
});
