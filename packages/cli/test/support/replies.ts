import * as contracts from '@joblisting/contracts';

export const key = {
  id: 5,
  kind: 'consumer',
  name: 'Integrator',
  scopes: ['jobs:read'],
  companyIds: [],
  readsPerMinute: 60,
  writesPerMinute: null,
  secrets: [{ lastFour: 'wxyz', createdAt: '2025-11-21T12:00:00Z', expiresAt: null, lastUsedAt: null }],
  revokedAt: null,
};
export const issued = { key, secret: 'jlc_secret' };
/** What the owners of the operations answer. */
export const replies = new Map<contracts.Operation, unknown>([
  [contracts.createCompany, { id: 7, name: 'Acme' }],
  [
    contracts.listCompanies,
    [
      { id: 7, name: 'Acme' },
      { id: 12, name: 'Trust' },
    ],
  ],
  [contracts.renameCompany, { id: 7, name: 'Acme Ltd' }],
  [contracts.deleteCompany, { id: 7, revokedKeyIds: [3, 5], narrowedKeyIds: [8] }],
  [contracts.issueConsumerKey, issued],
  [contracts.issueUserKey, issued],
  [contracts.rotateKey, issued],
  [contracts.revokeKey, { ...key, revokedAt: '2025-11-21T12:00:00Z', secrets: [] }],
  [contracts.listKeys, [key]],
  [contracts.addSystemCategory, { id: 24, name: 'Space', company: null }],
  [contracts.recountJobs, { corrected: true }],
  [contracts.setRetention, { days: 30 }],
]);
