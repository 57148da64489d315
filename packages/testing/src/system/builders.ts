/** A calendar date `days` from today (UTC). */
export function dateIn(days: number, from: Date = new Date()): string {
  return new Date(from.getTime() + days * 24 * 3600_000).toISOString().slice(0, 10);
}

/** The body of a valid job that is Published for the next weeks. */
export function jobBody(companyId: number, overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    company: { id: companyId },
    title: 'Senior Gardener',
    publishDate: dateIn(-3),
    closeDate: dateIn(30),
    city: 'Utrecht',
    description: 'Look after the rose garden.',
    applicantRoutingType: { id: 1 },
    ...overrides,
  };
}

/** A reference that no other test uses. */
export function newReference(): string {
  return `ref-${crypto.randomUUID()}`;
}
