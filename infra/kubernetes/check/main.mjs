// Renders every overlay and checks it against Kubernetes' schemas and the rules of this folder.
import { findNatsServer } from '../../local/bootstrap/servers.mjs';
import { createSteps } from '../../local/bootstrap/terminal.mjs';
import { customSchemas } from './custom-schemas.mjs';
import { readFacts } from './facts.mjs';
import { findKustomize, render } from './kustomize.mjs';
import { availabilityRules, developmentRules } from './rules/availability.mjs';
import { metricsRules } from './rules/metrics.mjs';
import { natsConfigRule } from './rules/nats-config.mjs';
import { networkRules } from './rules/network.mjs';
import { podRules } from './rules/pods.mjs';
import { referenceRules } from './rules/references.mjs';
import { productionSettingsRules, settingsRules } from './rules/settings.mjs';
import { builtInSchemas, fetchSchemas, schemaRule, unknownKinds, versions } from './schemas.mjs';
import { settingsOf } from './settings.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const steps = createSteps();
const kustomize = await findKustomize(steps);
if (kustomize === undefined) {
  say('Kubernetes: skipped: needs kustomize 5, or kubectl with it, or Go to build it');
  process.exit(0);
}

const [schemas, custom, natsServer, facts] = await Promise.all([
  fetchSchemas(steps),
  customSchemas(steps),
  findNatsServer(steps),
  readFacts(),
]);
const validators = versions.map((version) => {
  const builtIn = builtInSchemas(schemas, version);
  return { version, validate: (object) => builtIn(object) ?? custom(object) };
});
const common = [
  ...validators.map(({ version, validate }) => schemaRule(version, validate)),
  ...podRules,
  ...referenceRules,
  ...settingsRules,
  ...networkRules,
  natsConfigRule,
];
const rules = {
  production: [...common, ...availabilityRules, ...productionSettingsRules, ...metricsRules],
  'production-managed': [...common, ...availabilityRules, ...productionSettingsRules, ...metricsRules],
  development: [...common, ...developmentRules],
};

/** The input of a rule. `settings` follow changes of `objects`. */
const rendered = (overlay, objects) => ({
  ...facts,
  natsServer,
  services: [...facts.services],
  isProduction: overlay !== 'development',
  objects,
  get settings() {
    return settingsOf(this.objects);
  },
});

let passed = 0;
const failed = [];
const count = (name, problems) => {
  if (problems.length === 0) passed++;
  else failed.push(name);
  if (problems.length > 0) say([`✕ ${name}`, ...problems.map((problem) => `    ${problem}`)].join('\n'));
};

const tried = new Set();
for (const [overlay, overlayRules] of Object.entries(rules)) {
  const objects = render(kustomize, overlay);
  for (const rule of overlayRules) {
    count(`${overlay}: ${rule.name}`, await rule.problems(rendered(overlay, objects)));
    if (tried.has(rule)) continue;
    tried.add(rule);
    const broken = rendered(overlay, structuredClone(objects));
    rule.breaks(broken);
    const found = await rule.problems(broken);
    count(`detects a violation: ${rule.name}`, found.length > 0 ? [] : ['found nothing']);
  }
  const unknown = unknownKinds(objects, validators[0].validate);
  if (unknown.length > 0)
    say(`${overlay}: no schema checked, because fetching it needs Go: ${unknown.join(', ')}`);
}

say(`Kubernetes: ${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
