/**
 * Who may import whom, each rule with its reason. `npm run check` enforces it, and `test/architecture/imports.test.ts`
 * plants a violation for each rule. Read by `scripts/import-graph.ts`: the tool's own command line cannot parse our
 * sources, because it needs the TypeScript 5 parser, which is installed for it alone.
 */

/** The features, lowest first: each may use those before it. */
const FEATURES = [
  'installations',
  'accounts',
  'access',
  'storefront',
  'media',
  'inventory',
  'catalog',
  'promotions',
  'pricing',
  'carts',
  'payments',
  'orders',
  'cancellations',
  'after-sales',
  'fulfillment',
  'checkout',
  'hosted-login',
  'oauth',
  'webhooks',
  'privacy',
]

/** The pure decision files, by feature. */
const DECISIONS = [
  'accounts/password-rules',
  'access/challenge',
  'catalog/(stored-json|text-normalization|search-text|search/(price|query|ranking|units|weights)|search/words/[a-z]+|reading/store-view|writing/product-write-context)',
  'installations/readiness',
  'storefront/(legal|rich-text)',
  'media/address',
  'inventory/availability',
  'promotions/(discount|eligibility|promotion)',
  'pricing/(draft|present|price-cart|rule-faults|shipping|tax|types|tax-provider/(provided-taxes|checked-reply))',
  'carts/(cart|shipping-choice|address/(address|address-lines|destination|formats))',
  'checkout/session',
  'payments/(intents/(intent|transitions)|providers/simulator/faults)',
  'fulfillment/(fulfillment|shipment)',
  'orders/order/(actions|change|draft|goods|machine|money|order|refund-amounts|refund-taxes|share|status|timeline)',
  'orders/(eligibility/(eligibility|guards|preview)|mail/(notifications|texts)|policy/policy)',
  'cancellations/(cancellation|eligibility|request)',
  'after-sales/(after-sales|approval|eligibility|mail-texts|money|request)',
  'hosted-login/login',
  'oauth/(authorization-request|client|grant|server-metadata)',
  'webhooks/(deliveries/(circuit-breaker|delivery|replay|retry-policy)|endpoints/endpoint)',
]

const TEST = '\\.test\\.ts$'
const WORKSPACES = '^(contract|server|sdk|cli|site|bench|test|scripts)/'
const PRODUCTION = { path: '^(contract|server|sdk|cli)/', pathNot: TEST }
const SERVER = '^server/src/'
const DEMO = ['^server/demo/', `${SERVER}operator/demo/`, `${SERVER}demo\\.ts$`]

/** Production files below a path. */
const code = (path) => ({ path, pathNot: TEST })

/** A rule: no file in `from` imports a file in `to`. */
const never = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

const ranks = FEATURES.slice(0, -1).map((feature, index) =>
  never(
    `${feature}-imports-lower-ranks-only`,
    `${feature} ranks ${index + 1} of ${FEATURES.length}: a feature depends only on those before it, so that it ` +
      'can be understood, tested and changed without those above it.',
    code(`${SERVER}features/${feature}/`),
    { path: `${SERVER}features/(${FEATURES.slice(index + 1).join('|')})/` },
  ),
)

module.exports = {
  forbidden: [
    never(
      'contract-has-no-internal-imports',
      'Every client bundles the contract, and with it everything that the contract imports.',
      code('^contract/'),
      { path: WORKSPACES, pathNot: '^contract/' },
    ),
    never(
      'kernel-imports-contract-only',
      'All layers depend on the kernel, so it can depend on none of them.',
      code(`${SERVER}kernel/`),
      { path: WORKSPACES, pathNot: ['^contract/', `${SERVER}kernel/`] },
    ),
    never(
      'kernel-is-pure',
      'Money, ids, time and refusals depend on their arguments only; packages and I/O would change that.',
      code(`${SERVER}kernel/`),
      {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-no-pkg', 'core'],
        path: '.',
        // stdnum has check digits of numbers: pure functions without dependencies.
        pathNot: '^(node:)?crypto$|^node_modules/stdnum/',
      },
    ),
    never(
      'platform-does-not-import-features',
      'The platform serves every feature, so a feature can be added or removed without changing it.',
      code(`${SERVER}platform/`),
      { path: WORKSPACES, pathNot: ['^contract/', `${SERVER}(kernel|platform)/`] },
    ),
    never(
      'features-do-not-import-doors',
      'Doors (operator, pages, worker, app) call features, never the other way around: a business rule must not ' +
        'depend on its caller.',
      code(`${SERVER}features/`),
      { path: WORKSPACES, pathNot: ['^contract/', `${SERVER}(kernel|platform|features)/`] },
    ),
    ...ranks,
    never(
      'features-import-features-through-index',
      'Only what index.ts exports is public. Everything else is free to change.',
      { path: `${SERVER}features/([^/]+)/`, pathNot: TEST },
      { path: `${SERVER}features/[^/]+/`, pathNot: [`${SERVER}features/$1/`, `${SERVER}features/[^/]+/index\\.ts$`] },
    ),
    never(
      'doors-import-features-through-index',
      'The same for the rest of the server: the public interface of a feature is its index.ts.',
      { path: SERVER, pathNot: [TEST, `${SERVER}features/`] },
      { path: `${SERVER}features/[^/]+/`, pathNot: `${SERVER}features/[^/]+/index\\.ts$` },
    ),
    never(
      'decisions-are-pure',
      'A decision is a function of state, command, time and price, so it is tested in milliseconds and works the same in ' +
        'a request, a job and a replay. Types may come from anywhere; code from the kernel, the contract, other decisions ' +
        'and the index.ts of the features below.',
      { path: `${SERVER}features/(${DECISIONS.join('|')})\\.ts$` },
      {
        path: '.',
        pathNot: [
          '^contract/',
          `${SERVER}kernel/`,
          `${SERVER}features/(${DECISIONS.join('|')})\\.ts$`,
          `${SERVER}features/[^/]+/index\\.ts$`,
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    ...['operator', 'pages', 'worker'].map((door) =>
      never(
        `${door}-imports-no-other-door`,
        'The operator door, the pages and the worker are siblings: each can run in a process without the others.',
        code(`${SERVER}${door}/`),
        { path: `${SERVER}(operator|pages|worker)/`, pathNot: `${SERVER}${door}/` },
      ),
    ),
    never(
      'no-import-of-app',
      'The composition root imports every feature, so importing it means depending on all of them. process.ts opens its ' +
        'doors, index.ts exports it to the command line, and tests start a server with it.',
      { path: WORKSPACES, pathNot: [TEST, '^test/', '^bench/', `${SERVER}(process|index)\\.ts$`] },
      { path: `${SERVER}app\\.ts$` },
    ),
    never(
      'only-app-imports-composition',
      'Each file assembles one door from all features. Together with app.ts they are the composition root.',
      { path: WORKSPACES, pathNot: [TEST, `${SERVER}app\\.ts$`, `${SERVER}composition/`] },
      { path: `${SERVER}composition/` },
    ),
    never(
      'doors-are-imported-dynamically',
      'A process without the pages or the operator door never loads its modules: the composition root imports them with import().',
      { path: `${SERVER}(app|process|composition/[^/]+)\\.ts$`, pathNot: TEST },
      { path: `${SERVER}(operator|pages)/`, dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    never(
      'no-import-of-process',
      'process.ts is the outermost layer: what it starts cannot depend on it. Only index.ts exports it.',
      { path: WORKSPACES, pathNot: [TEST, `${SERVER}index\\.ts$`] },
      { path: `${SERVER}process\\.ts$` },
    ),
    never(
      'sdk-imports-nothing',
      'The SDK runs in third-party programs, browsers and workers included. It has what it needs of the contract in ' +
        'sdk/src/generated, so that they install and load nothing else.',
      code('^sdk/'),
      { path: '.', pathNot: '^sdk/' },
    ),
    never(
      'shop-imports-the-sdk-only',
      'The example shop is what people copy out of the repository: it has the public interface and nothing else.',
      code('^shop/'),
      { path: WORKSPACES, pathNot: ['^sdk/src/index\\.ts$', '^sdk/src/webhooks\\.ts$', '^shop/'] },
    ),
    never(
      'site-imports-facts-only',
      'The documentation is made of facts: the contract, the SDK that it sends requests with, and the state machines. What ' +
        'it draws and lists cannot differ from what the server does, and nothing of the server depends on it.',
      code('^site/'),
      {
        path: WORKSPACES,
        pathNot: ['^contract/', '^sdk/src/index\\.ts$', '^site/', `${SERVER}features/(${DECISIONS.join('|')})\\.ts$`],
      },
    ),
    never('nothing-imports-the-site', 'The documentation is built beforehand and served as files.', PRODUCTION, {
      path: '^site/',
    }),
    never(
      'cli-imports-entry-points-only',
      'The command line may use what an operator has: the contract, the SDK and the server’s index.ts; its config.ts, ' +
        'for commands that need a setting and no server; and its demo.ts.',
      code('^cli/'),
      {
        path: WORKSPACES,
        pathNot: [
          '^contract/src/index\\.ts$',
          '^contract/src/openapi\\.ts$',
          '^contract/src/operator/(index|openapi)\\.ts$',
          '^sdk/src/index\\.ts$',
          '^cli/',
          `${SERVER}(index|config|demo)\\.ts$`,
        ],
      },
    ),
    never(
      'demo-is-imported-dynamically',
      'Only `--demo` needs the products and pictures of the demo: import() keeps them out of every other start.',
      { path: PRODUCTION.path, pathNot: [TEST, ...DEMO] },
      { path: DEMO, dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    never(
      'server-does-not-import-clients',
      'The SDK and the command line are clients of the server. If it used them, neither could be replaced.',
      code('^server/'),
      { path: '^(sdk|cli)/' },
    ),
    never(
      'production-imports-no-test-support',
      'Production code must not depend on code that tests or measures it.',
      PRODUCTION,
      { path: ['^(test|bench|scripts)/', TEST, '/testing/'] },
    ),
    never(
      'production-uses-declared-dependencies',
      'A development dependency or an undeclared transitive package is missing in production.',
      PRODUCTION,
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
    never(
      'only-platform-postgres-imports-pg',
      'It has the type parsers for bigint, date and numeric, the pool, and the only code that begins and commits.',
      { path: PRODUCTION.path, pathNot: [TEST, `${SERVER}platform/postgres/`] },
      { path: 'node_modules/pg(-pool|-cursor)?/' },
    ),
    never(
      'imports-are-resolvable',
      'An import that cannot be resolved is a typo or an undeclared package.',
      { path: WORKSPACES },
      { couldNotResolve: true },
    ),
    never(
      'no-cycles',
      'Two files that import each other can be neither loaded nor understood alone. Type imports are exempt: they do not ' +
        'exist at run time.',
      { path: WORKSPACES },
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    never(
      'console-has-no-cycles',
      'Pages must not import the route table that loads them, not even its types: one such import connects every page ' +
        'to every other.',
      { path: '^console/' },
      { circular: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage)/' },
    tsPreCompilationDeps: true,
    parser: 'tsc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
}
