import { indented } from './sections.mjs';

const HEADER =
  '# Generated from packages/contracts/src/permissions/services.ts by `npm run generate`: do not edit.';

const lines = (...parts) => `${parts.flat().join('\n')}\n`;
const when = (condition, ...parts) => (condition ? parts : []);

const configMaps = ({ name, hasDatabase }) =>
  ['common', ...when(hasDatabase, 'mongodb'), name].map((map) => `    - configMapRef: { name: ${map} }`);

/** The container and volumes, the same for the Deployment and its prepare Job. */
function podSpec(service, more = []) {
  const { name, hasDatabase, http, addresses = [], settings } = service;
  const optional = Object.entries(settings?.secrets ?? {});
  const isServing = more.length > 0;
  const secrets = ['nats', ...when(hasDatabase, 'mongodb')];
  return indented(
    6,
    [
      'containers:',
      '  - name: service',
      `    image: job-listing/${name}`,
      ...when(http && isServing, '    ports:', '      - { name: http, containerPort: 8080 }'),
      '    envFrom:',
      ...configMaps(service).map((line) => `  ${line}`),
      ...when(addresses.length + optional.length > 0, '    env:'),
      ...addresses.flatMap((address) => [
        `      - name: ${address}`,
        '        valueFrom:',
        `          configMapKeyRef: { name: addresses, key: ${address} }`,
      ]),
      ...optional.flatMap(([setting, secret]) => [
        `      - name: ${setting}`,
        '        valueFrom:',
        `          secretKeyRef: { name: ${secret.name}, key: ${secret.key}, optional: true }`,
      ]),
      ...more,
      '    volumeMounts:',
      ...secrets.map(
        (secret) => `      - { name: ${secret}, mountPath: /run/secrets/${secret}, readOnly: true }`,
      ),
      'volumes:',
      ...secrets.flatMap((secret) => [
        `  - name: ${secret}`,
        `    secret: { secretName: ${secret}-${name}, defaultMode: 0440 }`,
      ]),
    ].join('\n'),
  );
}

function podLabels({ hasDatabase, callsGateway }, name) {
  return [
    '  template:',
    '    metadata:',
    '      labels:',
    `        app.kubernetes.io/name: ${name}`,
    '        job-listing/bus: client',
    ...when(hasDatabase, '        job-listing/mongodb: client'),
    ...when(callsGateway, '        job-listing/gateway: client'),
    '    spec:',
  ];
}

function deployment(service) {
  const { name, http, replicas, requests } = service;
  return lines(
    HEADER,
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    when(replicas.least === replicas.most, `  replicas: ${replicas.least}`),
    '  selector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${name}`,
    podLabels(service, name),
    podSpec(service, [
      '    resources:',
      `      requests: { cpu: ${requests.cpu}, memory: ${requests.memory} }`,
      "      limits: { cpu: '1', memory: 512Mi }",
      ...when(
        http,
        '    lifecycle:',
        '      # Until endpoints and load balancers are updated, requests still arrive. SIGTERM follows.',
        '      preStop:',
        '        sleep: { seconds: 5 }',
      ),
    ]),
  );
}

function prepare(service) {
  const { name } = service;
  return lines(
    HEADER,
    'apiVersion: batch/v1',
    'kind: Job',
    'metadata:',
    `  name: ${name}-prepare`,
    'spec:',
    podLabels({ ...service, callsGateway: false }, `${name}-prepare`),
    podSpec(service),
  );
}

function scaling({ name, replicas }) {
  return lines(
    HEADER,
    'apiVersion: policy/v1',
    'kind: PodDisruptionBudget',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    '  maxUnavailable: 1',
    '  unhealthyPodEvictionPolicy: AlwaysAllow',
    '  selector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${name}`,
    when(
      replicas.least < replicas.most,
      '---',
      'apiVersion: autoscaling/v2',
      'kind: HorizontalPodAutoscaler',
      'metadata:',
      `  name: ${name}`,
      'spec:',
      `  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }`,
      `  minReplicas: ${replicas.least}`,
      `  maxReplicas: ${replicas.most}`,
      '  metrics:',
      '    - type: Resource',
      '      resource:',
      '        name: cpu',
      '        target: { type: Utilization, averageUtilization: 70 }',
      '  behavior:',
      '    scaleDown:',
      '      stabilizationWindowSeconds: 300',
    ),
  );
}

const httpService = ({ name }) =>
  lines(
    HEADER,
    'apiVersion: v1',
    'kind: Service',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    '  selector:',
    `    app.kubernetes.io/name: ${name}`,
    '  ports:',
    '    - { name: http, port: 80, targetPort: http }',
  );

const networkPolicy = ({ name }) =>
  lines(
    HEADER,
    '# Only the ingress controller may send HTTP, so that nobody else can set X-Forwarded-For.',
    'apiVersion: networking.k8s.io/v1',
    'kind: NetworkPolicy',
    'metadata:',
    `  name: ${name}`,
    'spec:',
    '  podSelector:',
    '    matchLabels:',
    `      app.kubernetes.io/name: ${name}`,
    '  policyTypes: [Ingress]',
    '  ingress:',
    '    - from:',
    '        - namespaceSelector:',
    '            matchLabels:',
    '              kubernetes.io/metadata.name: ingress',
    '      ports:',
    '        - { protocol: TCP, port: 8080 }',
  );

function kustomization({ name, version, hasDatabase, http, settings }, resources) {
  const literals = {
    NATS_USER: name,
    ...(hasDatabase && { MONGODB_USER: name }),
    ...(http && { HOST: '0.0.0.0', PORT: '8080' }),
    ...settings?.kubernetes,
  };
  return lines(
    HEADER,
    'apiVersion: kustomize.config.k8s.io/v1beta1',
    'kind: Kustomization',
    'resources:',
    resources.map((file) => `  - ${file}`),
    'labels:',
    `  - pairs: { app.kubernetes.io/name: ${name} }`,
    'images:',
    `  - name: job-listing/${name}`,
    `    newTag: ${version}`,
    'configMapGenerator:',
    `  - name: ${name}`,
    '    literals:',
    Object.entries(literals).map(([key, value]) => `      - ${key}=${value}`),
  );
}

/** The manifests of one service by file name in `base/<service>`. */
export function manifestsOf(service) {
  const resources = {
    'deployment.yaml': deployment(service),
    'scaling.yaml': scaling(service),
    ...(service.hasDatabase && { 'prepare.yaml': prepare(service) }),
    ...(service.http && {
      'service.yaml': httpService(service),
      'network-policy.yaml': networkPolicy(service),
    }),
  };
  return { ...resources, 'kustomization.yaml': kustomization(service, Object.keys(resources)) };
}

/** Environment of NATS servers: the password of each user, from its Secret. */
export const natsPasswords = (parties) =>
  indented(
    12,
    [...parties, 'cluster']
      .flatMap((party) => [
        `- name: NATS_PASSWORD_${party.toUpperCase().replaceAll('-', '_')}`,
        '  valueFrom:',
        `    secretKeyRef: { name: nats-${party}, key: password }`,
      ])
      .join('\n'),
  );

/** Users for the MongoDB operator, each with readWrite on its own database. */
export const mongodbUsers = (names) =>
  indented(
    4,
    names
      .flatMap((name) => [
        `- name: ${name}`,
        '  db: admin',
        `  passwordSecretRef: { name: mongodb-${name}, key: password }`,
        `  scramCredentialsSecretName: mongodb-${name}`,
        `  connectionStringSecretName: mongodb-${name}-address`,
        '  roles:',
        `    - { name: readWrite, db: ${name} }`,
      ])
      .join('\n'),
  );
