import { describe, expect, it } from '@jest/globals';
import { requestsTo } from './requests.ts';

describe('requestsTo', () => {
  it('writes a GET with keys', () => {
    const { get } = requestsTo('http://127.0.0.1:8080', { consumer: 'c', user: 'u' });
    expect(get('/v1.0/jobs/1')).toBe(
      'GET /v1.0/jobs/1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nConsumer-API-Key: c\r\nUser-API-Key: u\r\n\r\n',
    );
  });

  it('counts the bytes of a body, not its characters', () => {
    const request = requestsTo('http://127.0.0.1:8080').post('/jobs', '{"é":1}');
    expect(request).toContain('Content-Length: 8\r\n\r\n{"é":1}');
    expect(request).not.toContain('API-Key');
  });
});
