// Renders every overlay and holds it against Kubernetes' schemas and the rules of this folder.
import { findNatsServer } from '../../local/bootstrap/servers.mjs';
import { createSteps } from '../../local/bootstrap/terminal.mjs';
import { customSchemas } from './custom-schemas.mjs';
import { readFacts } from './facts.mjs';
import { findKustomize } from './kustomize.mjs';
import { render } from './render.mjs';
import { availabilityRules, developmentRules } from './rules/availability.mjs';
import { metricsRules } from './rules/metrics.mjs';
import { natsConfigRule } from './rules/nats-config.mjs';
import { networkRules } from './rules/network.mjs';
import { podRules } from './rules/pods.mjs';
import { referenceRules } from './rules/references.mjs';
import { schemaRule, unknownKinds } from './rules/schemas.mjs';
import { productionSettingsRules, settingsRules } from './rules/settings.mjs';
import { builtInSchemas, fetchSchemas, versions } from './schemas.mjs';
import { settingsOf } from './settings.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const steps = createSteps();
const kustomize = await findKustomize(steps);
if (kustomize === undefined) {
  say(
    'Kubernetes: not checked: there is neither kustomize 5, nor a kubectl that has it, nor a Go that builds it',
  );
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

/** What a rule looks at. Settings follow from the objects, also when these are changed. */
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
for (const [overlay, its] of Object.entries(rules)) {
  const objects = render(kustomize, overlay);
  for (const rule of its) {
    count(`${overlay}: ${rule.name}`, await rule.problems(rendered(overlay, objects)));
    if (tried.has(rule)) continue;
    tried.add(rule);
    const broken = rendered(overlay, structuredClone(objects));
    rule.breaks(broken);
    const seen = await rule.problems(broken);
    count(`when it is broken, it is seen: ${rule.name}`, seen.length > 0 ? [] : ['nothing was seen']);
  }
  const unknown = unknownKinds(objects, validators[0].validate);
  if (unknown.length > 0)
    say(`${overlay}: not held against a schema, for there is no Go to fetch it: ${unknown.join(', ')}`);
}

say(`Kubernetes: ${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
