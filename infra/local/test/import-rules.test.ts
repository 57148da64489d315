import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../bootstrap/paths.mjs';

/** Forbidden imports: the rule, the importing file, the imported file. */
const violations: [rule: string, file: string, target: string][] = [
  ['no-cycles', 'services/jobs/src/domain/chicken.ts', './egg.ts'],
  ['resolvable', 'services/jobs/src/handlers/broken.ts', '../store/nowhere.ts'],
  ['services-are-strangers', 'services/jobs/src/handlers/friend.ts', '../../../accounts/src/domain/key.ts'],
  ['packages-know-no-service', 'packages/cli/src/shortcut.ts', '../../../services/jobs/src/domain/job.ts'],
  ['packages-know-no-service', 'packages/e2e/src/shortcut.ts', '../../../services/jobs/src/domain/job.ts'],
  ['only-bus-knows-nats', 'services/jobs/src/tasks/direct.ts', 'nats'],
  ['only-bus-knows-nats', 'packages/service-kit/src/direct.ts', 'nats'],
  ['only-stores-know-mongodb', 'services/jobs/src/tasks/query.ts', 'mongoose'],
  ['only-stores-know-mongodb', 'packages/cli/src/query.ts', 'mongoose'],
  ['gateway-has-no-database', 'services/gateway/src/store/cache.ts', 'mongoose'],
  ['domain-is-pure', 'services/jobs/src/domain/reads.ts', '../store/job-store.ts'],
  ['domain-is-pure', 'services/jobs/src/domain/serves.ts', 'fastify'],
  ['domain-is-pure', 'services/jobs/src/domain/opens.ts', 'node:fs'],
  ['contracts-know-only-schemas', 'packages/contracts/src/http.ts', 'fastify'],
  ['bus-knows-only-contracts', 'packages/bus/src/kit.ts', '../../service-kit/src/index.ts'],
  ['geo-stands-alone', 'packages/geo/src/contract.ts', '../../contracts/src/index.ts'],
  ['client-stands-alone', 'packages/client/src/contract.ts', '../../contracts/src/index.ts'],
  ['handlers-lead-inwards', 'services/jobs/src/handlers/serves.ts', 'fastify'],
  ['handlers-lead-inwards', 'services/jobs/src/handlers/wires.ts', '../config.ts'],
  ['only-the-wiring-knows-handlers', 'services/jobs/src/tasks/back.ts', '../handlers/get-job.ts'],
  ['stores-know-no-handler', 'services/jobs/src/store/back.ts', '../handlers/get-job.ts'],
  ['gateway-foundations-know-no-room-above', 'services/gateway/src/http/back.ts', '../routes/table.ts'],
  ['gateway-auth-knows-no-route', 'services/gateway/src/auth/back.ts', '../routes/table.ts'],
  ['gateway-routes-know-no-docs', 'services/gateway/src/routes/back.ts', '../docs/page.ts'],
  ['clients-know-no-store', 'services/jobs/src/clients/save.ts', '../store/job-store.ts'],
  ['models-know-only-domain', 'services/jobs/src/models/back.ts', '../store/job-store.ts'],
  ['testing-is-for-tests', 'services/jobs/src/tasks/fake.ts', '../../../../packages/testing/src/index.ts'],
  ['no-tests-in-the-product', 'services/jobs/src/tasks/sample.ts', '../domain/job.test.ts'],
];

/** Files with allowed imports only. */
const allowed: Record<string, readonly string[]> = {
  'services/jobs/src/domain/egg.ts': ['./chicken.ts'],
  'services/jobs/src/domain/job.ts': ['../../../../packages/contracts/src/index.ts', 'parse5', 'node:crypto'],
  'services/jobs/src/domain/job.test.ts': ['./job.ts', '../../../../packages/testing/src/index.ts'],
  'services/jobs/src/store/job-store.ts': ['mongoose', '../domain/job.ts'],
  'services/jobs/src/handlers/get-job.ts': ['../domain/job.ts', '../store/job-store.ts'],
  'services/jobs/src/config.ts': [],
  'services/jobs/src/service.ts': ['./handlers/get-job.ts', './store/job-store.ts', './config.ts'],
  'services/jobs/test/list.test.ts': ['../src/service.ts', 'mongoose'],
  'services/shortlink/src/link-store.ts': ['mongoose'],
  'services/gateway/src/server.ts': ['fastify'],
  'services/gateway/src/routes/table.ts': [],
  'services/gateway/src/docs/page.ts': [],
  'services/accounts/src/domain/key.ts': [],
  'packages/contracts/src/index.ts': ['typebox'],
  'packages/bus/src/index.ts': ['nats', '../../contracts/src/index.ts'],
  'packages/service-kit/src/index.ts': ['mongoose', '../../bus/src/index.ts'],
  'packages/testing/src/index.ts': ['mongoose'],
};

const libraries = ['nats', 'mongoose', 'fastify', 'typebox', 'parse5'];

type Finding = { rule: { name: string }; from: string };

describe('the import rules', () => {
  const directory = mkdtempSync(join(tmpdir(), 'import-rules-'));
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), text);
  };
  const importing = (targets: readonly string[]): string =>
    `${targets.map((target) => `import '${target}';`).join('\n')}\nexport const here: number = 1;\n`;
  let findings: Finding[];

  beforeAll(() => {
    for (const [, file, target] of violations) write(file, importing([target]));
    for (const [file, targets] of Object.entries(allowed)) write(file, importing(targets));
    for (const library of libraries) {
      write(`node_modules/${library}/package.json`, JSON.stringify({ name: library, main: 'index.js' }));
      write(`node_modules/${library}/index.js`, 'module.exports = {};');
    }
    mkdirSync(join(directory, 'infra'));
    const config = join(root, '.dependency-cruiser.cjs');
    const cruiser = join(root, 'node_modules', '.bin', 'depcruise');
    const args = [cruiser, '--config', config, '--output-type', 'json', 'services', 'packages', 'infra'];
    const report = JSON.parse(
      execFileSync(process.execPath, args, { cwd: directory, encoding: 'utf8', maxBuffer: 1e8 }),
    ) as { summary: { violations: Finding[] } };
    findings = report.summary.violations;
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(violations)('%s: %s must not import %s', (rule, file, _target) => {
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: expect.objectContaining({ name: rule }), from: file }),
    );
  });

  it('allow every other import', () => {
    const faulty = new Set(findings.map(({ from }) => from));
    faulty.delete('services/jobs/src/domain/egg.ts');
    expect(Object.keys(allowed).filter((file) => faulty.has(file))).toEqual([]);
  });

  it('have a forbidden import above for every rule', async () => {
    const { default: config } = (await import(join(root, '.dependency-cruiser.cjs'))) as {
      default: { forbidden: { name: string }[] };
    };
    const tried = new Set<string>(violations.map(([rule]) => rule));
    expect(config.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });
});
