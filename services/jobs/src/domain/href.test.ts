import { describe, expect, it } from '@jest/globals';
import { hrefFault } from './href.ts';

describe('hrefFault', () => {
  it.each([
    'https://example.com',
    'HTTP://EXAMPLE.com:8080/a?b=c#d',
    'https://example.com/@handle?to=a@b',
    'https://bücher.example/ä',
    'https://[2001:db8::1]/',
    'mailto:jobs@example.com?subject=Hello%20there',
    'MAILTO:jobs@example.com',
  ])('accepts %j', (href) => {
    expect(hrefFault(href)).toBeUndefined();
  });

  it.each([
    ['', 'absolute'],
    ['/jobs/1', 'absolute'],
    ['//example.com', 'absolute'],
    ['#top', 'absolute'],
    ['example.com', 'absolute'],
    ['https:example.com', 'absolute'],
    ['https:/example.com', 'absolute'],
    ['javascript:alert(1)', 'absolute'],
    ['data:text/html,hi', 'absolute'],
    ['vbscript:x', 'absolute'],
    ['ftp://example.com', 'absolute'],
    ['tel:+123', 'absolute'],
    ['java\tscript:alert(1)', 'white space'],
    [' https://example.com', 'white space'],
    ['https://example.com/a b', 'white space'],
    ['https://example.com/\u00a0', 'white space'],
    ['https://example.com/\ufeff', 'white space'],
    ['https://example.com/\u0085', 'control'],
    ['\u0001javascript:alert(1)', 'control'],
    ['https://example.com/\u202etxt', 'invisible'],
    ['https://example.com/\u200f', 'invisible'],
    ['https:\\\\example.com', 'one of'],
    ['https://example.com\\@evil.example', 'one of'],
    ['https://user@example.com', 'user information'],
    ['https://user:pass@example.com', 'user information'],
    ['https://@example.com', 'user information'],
    ['https:///user:pass@example.com/', 'valid'],
    ['https:////user:pass@example.com/', 'valid'],
    ['https:///example.com/', 'valid'],
    ['https://', 'valid'],
    ['mailto://user:pass@example.com/', 'valid'],
    ['MAILTO://user@example.com/', 'valid'],
    ['mailto://example.com/', 'valid'],
    ['https://?q', 'valid'],
    ['https://example.com:99999/', 'valid'],
    ...Array.from('"<>^`{|}').map((character) => [`https://example.com/${character}`, 'one of']),
    ['mailto:<a@example.com>', 'one of'],
    ...['\u00ad', '\u200b', '\u200d', '\u2060', '\u{e0041}'].map((format) => [
      `https://example.com/${format}a`,
      'invisible',
    ]),
    ['https://exa%mple.com/', 'valid'],
    [`https://${'ü'.repeat(2000)}.example/`, 'valid'],
  ])('refuses %j', (href, reason) => {
    expect(hrefFault(href)).toContain(reason);
  });
});
