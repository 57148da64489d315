/** Checks a start without the demo, and that the command line makes a company with keys that the API takes. */
export async function checkOperator(system, tally) {
  tally.equal('no demo is seeded', await system.idOf('seeds'), '');
  const company = await system.cli('company', 'create', 'First & Co');
  tally.equal('the first company has the first id', company, { id: 1, name: 'First & Co' });
  const consumer = await system.cli('key', 'issue', '--consumer', 'Careers page', '--scopes', 'jobs:read');
  const user = await system.cli('key', 'issue', '--user', 'Ann', '--companies', '1');
  const response = await fetch(`${system.origin}/v1.0/jobs?company.id=1`, {
    headers: { 'Consumer-API-Key': consumer.secret, 'User-API-Key': user.secret },
  });
  const { paging } = await response.json();
  tally.equal('the API takes its keys', [response.status, paging?.total], [200, 0]);
  tally.equal('the company is deleted with its key', await system.cli('company', 'delete', '1'), {
    id: 1,
    revokedKeyIds: [user.key.id],
    narrowedKeyIds: [],
  });
}
