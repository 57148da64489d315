const limitMs = 5000;

/** A client of the gateway with the demo's consumer key and its first user key. */
export function createClient(origin, demo) {
  const [company] = demo.companies;
  const keys = {
    'Consumer-API-Key': demo.consumerKey,
    'User-API-Key': company.userKey,
    'Content-Type': 'application/json',
  };

  /**
   * @returns {Promise<{status: number, json: unknown, error?: unknown}>} status 0 if there was no response
   */
  async function call(method, path, body, headers = keys) {
    try {
      const response = await fetch(`${origin}/v1.0${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(limitMs),
      });
      const text = await response.text();
      return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
    } catch (error) {
      return { status: 0, json: undefined, error };
    }
  }

  const reporter = { 'Consumer-API-Key': demo.metricsKey, 'Content-Type': 'application/json' };
  return {
    companyId: company.id,
    get: (path) => call('GET', path),
    put: (job) => call('PUT', '/jobs', { company: { id: company.id }, ...job }),
    /** Reports metrics events: `{id, jobId, type}`. */
    report: (events) => call('POST', '/metrics/events', { events }, reporter),
    status: async (path) =>
      (await fetch(`${origin}${path}`, { signal: AbortSignal.timeout(limitMs) })).status,
  };
}

export const newJob = (referenceId, title) => ({
  referenceId,
  title,
  publishDate: '2026-01-15',
  description: '<p>Look after what runs.</p>',
  descriptionFormat: 'html',
  categories: [{ id: 13 }],
  types: [{ id: 1 }],
  applicantRoutingType: { id: 1 },
});
