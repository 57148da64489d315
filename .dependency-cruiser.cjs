// Which part may import which. The arrows of a request: route -> contract -> bus -> handler -> domain, store.
const tests = '(\\.test\\.ts$|/test/)';
const mongo = '^node_modules/(mongoose|mongodb)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or three; for types too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'services-are-strangers',
      comment:
        'A service knows others by packages/contracts alone, so that each can be deployed without the others.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      comment:
        'Packages, the command line and the end-to-end suite speak to services over their public doors.',
      severity: 'error',
      from: { path: '^(packages|infra)/' },
      to: { path: '^services/' },
    },
    {
      name: 'only-bus-knows-nats',
      comment: 'What the product is measured against does without its parts.',
      severity: 'error',
      from: { pathNot: '^packages/(bus|bench/src/baseline)/' },
      to: { path: '^node_modules/(nats|@nats-io)/' },
    },
    {
      name: 'only-stores-know-mongodb',
      severity: 'error',
      from: {
        path: '^(services|packages|infra)/',
        pathNot: [
          '^services/[^/]+/src/(models/|store/|[^/]*store\\.ts$)',
          '^packages/(service-kit|testing|bench/src/baseline)/',
          '^infra/(local|mongodb|docker|operations)/',
          tests,
        ],
      },
      to: { path: mongo },
    },
    {
      name: 'gateway-has-no-database',
      severity: 'error',
      from: { path: '^services/gateway/' },
      to: { path: mongo },
    },
    {
      name: 'domain-is-pure',
      comment:
        'Business rules are plain data and functions: they know contracts, reference data and each other.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/', pathNot: tests },
      to: {
        pathNot: [
          '^services/$1/src/domain/',
          '^packages/(contracts|geo)/',
          // A real HTML parser reads descriptions.
          '^node_modules/(parse5|entities)/',
          // Pure functions of Node: hashes, checksums, deep equality.
          '^(node:)?(crypto|zlib|util)$',
        ],
      },
    },
    {
      name: 'contracts-know-only-schemas',
      comment: 'Contracts know no HTTP, no bus and no database.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: tests },
      to: { pathNot: ['^packages/contracts/src/', '^node_modules/typebox/', '^(node:)?crypto$'] },
    },
    {
      name: 'bus-knows-only-contracts',
      severity: 'error',
      from: { path: '^packages/bus/src/', pathNot: tests },
      to: { path: '^packages/', pathNot: '^packages/(bus|contracts)/' },
    },
    {
      name: 'geo-stands-alone',
      severity: 'error',
      from: { path: '^packages/geo/src/' },
      to: { path: '^packages/', pathNot: '^packages/geo/' },
    },
    {
      name: 'handlers-lead-inwards',
      comment:
        'A handler turns a request into calls of domain and store: it wires nothing and knows no client library.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/handlers/', pathNot: tests },
      to: {
        pathNot: [
          '^services/$1/src/(?!(main|service|config)\\.ts$)',
          '^packages/(contracts|service-kit|bus|geo)/',
          '^node_modules/typebox/',
        ],
      },
    },
    {
      name: 'only-the-wiring-knows-handlers',
      severity: 'error',
      from: {
        path: '^services/([^/]+)/src/',
        pathNot: ['^services/[^/]+/src/(service\\.ts$|handlers/)', tests],
      },
      to: { path: '^services/[^/]+/src/handlers/' },
    },
    {
      name: 'stores-know-no-handler',
      comment: 'Data comes back by the rooms through which the request went.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/store/', pathNot: tests },
      to: { path: '^services/$1/src/', pathNot: '^services/$1/src/(models|store|domain)/' },
    },
    {
      name: 'gateway-foundations-know-no-room-above',
      comment: 'limits and http serve auth, routes, openapi and docs, which lead down only.',
      severity: 'error',
      from: { path: '^services/gateway/src/(limits|http)/', pathNot: tests },
      to: { path: '^services/gateway/src/(auth|routes|openapi|docs)/' },
    },
    {
      name: 'gateway-auth-knows-no-route',
      severity: 'error',
      from: { path: '^services/gateway/src/auth/', pathNot: tests },
      to: { path: '^services/gateway/src/(routes|openapi|docs)/' },
    },
    {
      name: 'gateway-routes-know-no-docs',
      severity: 'error',
      from: { path: '^services/gateway/src/routes/', pathNot: tests },
      to: { path: '^services/gateway/src/(openapi|docs)/' },
    },
    {
      name: 'clients-know-no-store',
      comment: 'A client asks another service; what is stored of the answer is up to the caller.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/clients/', pathNot: tests },
      to: { path: '^services/$1/src/(store|models|tasks|handlers)/' },
    },
    {
      name: 'models-know-only-domain',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/models/', pathNot: tests },
      to: { path: '^services/$1/src/', pathNot: '^services/$1/src/(models|domain)/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: {
        path: '^(services|packages|infra)/[^/]+/src/',
        pathNot: [tests, '^packages/(testing|e2e|chaos|bench)/'],
      },
      to: { path: '^packages/(testing|e2e)/' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { pathNot: [tests] },
      to: { path: tests, pathNot: '^node_modules/' },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: ['node_modules', '/dist/'] },
    exclude: { path: ['(^|/)dist/', '(^|/)\\.turbo/', '\\.d\\.m?ts$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@joblisting/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
