// Which part may import which. A request flows from route to contract, bus, handler, domain and store.
const tests = '(\\.test\\.ts$|/test/)';
const mongo = '^node_modules/(mongoose|mongodb)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other, even for types only, should be one file or share a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'Every import must resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'services-are-strangers',
      comment:
        'A service uses other services only through packages/contracts, so that each can be deployed alone.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'packages-know-no-service',
      comment:
        'Packages, the command line and the end-to-end suite use only the public interfaces of services.',
      severity: 'error',
      from: { path: '^(packages|infra)/' },
      to: { path: '^services/' },
    },
    {
      name: 'only-bus-knows-nats',
      comment: 'Only the bus uses NATS. The baseline of the benchmark does not use the product.',
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
        'Business rules are plain data and functions. They use only contracts, reference data and each other.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/domain/', pathNot: tests },
      to: {
        pathNot: [
          '^services/$1/src/domain/',
          '^packages/(contracts|geo)/',
          // The HTML parser for descriptions; ranges of addresses, and signatures of webhooks.
          '^node_modules/(parse5|entities|ipaddr\\.js|standardwebhooks)/',
          // Pure functions of Node: hashes, checksums, deep equality.
          '^(node:)?(crypto|zlib|util)$',
        ],
      },
    },
    {
      name: 'contracts-know-only-schemas',
      comment: 'Contracts use no HTTP, bus or database.',
      severity: 'error',
      from: { path: '^packages/contracts/src/', pathNot: tests },
      to: { pathNot: ['^packages/contracts/src/', '^node_modules/typebox/', '^(node:)?(crypto|zlib)$'] },
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
      name: 'client-stands-alone',
      comment: 'Its users install nothing else of this repository.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: tests },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'handlers-lead-inwards',
      comment: 'A handler calls domain and store. It does not wire dependencies or use client libraries.',
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
      comment: 'Stores are called by handlers and never call them.',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/store/', pathNot: tests },
      to: { path: '^services/$1/src/', pathNot: '^services/$1/src/(models|store|domain)/' },
    },
    {
      name: 'gateway-foundations-know-no-room-above',
      comment: 'auth, routes, openapi and docs use limits and http, never the other way round.',
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
      comment: 'A client only sends requests to another service; its caller stores the result.',
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
