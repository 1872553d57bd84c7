import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { importRules, importViolations } from '../../scripts/import-graph.ts'

/** A file of the planted tree and what it imports: a path of the tree, or a package. */
type Plant = readonly [file: string, imports: string]

const feature = (name: string, file = 'index.ts') => `server/src/features/${name}/${file}`

/** One violation of each rule: the file and its forbidden import. */
const planted: Readonly<Record<string, Plant>> = {
  'contract-has-no-internal-imports': ['contract/src/webhooks.ts', 'server/src/kernel/money.ts'],
  'kernel-imports-contract-only': ['server/src/kernel/clock.ts', 'server/src/platform/http/pipeline.ts'],
  'kernel-is-pure': ['server/src/kernel/ids.ts', 'node:fs'],
  'platform-does-not-import-features': ['server/src/platform/jobs/jobs.ts', feature('carts')],
  'features-do-not-import-doors': [feature('orders', 'order/view.ts'), 'server/src/pages/layout.ts'],
  'installations-imports-lower-ranks-only': [feature('installations', 'key-store.ts'), feature('webhooks')],
  'accounts-imports-lower-ranks-only': [feature('accounts', 'account-store.ts'), feature('access')],
  'access-imports-lower-ranks-only': [feature('access', 'grant-store.ts'), feature('storefront')],
  'storefront-imports-lower-ranks-only': [feature('storefront', 'bootstrap-view.ts'), feature('catalog')],
  'catalog-imports-lower-ranks-only': [feature('catalog', 'product-store.ts'), feature('pricing')],
  'media-imports-lower-ranks-only': [feature('media', 'sweep.ts'), feature('catalog')],
  'inventory-imports-lower-ranks-only': [feature('inventory', 'stock-store.ts'), feature('carts')],
  'promotions-imports-lower-ranks-only': [feature('promotions', 'promotion-store.ts'), feature('pricing')],
  'pricing-imports-lower-ranks-only': [feature('pricing', 'price-cart.ts'), feature('carts')],
  'carts-imports-lower-ranks-only': [feature('carts', 'cart-store.ts'), feature('checkout')],
  'payments-imports-lower-ranks-only': [feature('payments', 'intents/store.ts'), feature('orders')],
  'orders-imports-lower-ranks-only': [feature('orders', 'order/store.ts'), feature('cancellations')],
  'cancellations-imports-lower-ranks-only': [feature('cancellations', 'store.ts'), feature('after-sales')],
  'after-sales-imports-lower-ranks-only': [feature('after-sales', 'store.ts'), feature('fulfillment')],
  'fulfillment-imports-lower-ranks-only': [feature('fulfillment', 'store.ts'), feature('checkout')],
  'checkout-imports-lower-ranks-only': [feature('checkout', 'session-store.ts'), feature('hosted-login')],
  'hosted-login-imports-lower-ranks-only': [feature('hosted-login', 'login-store.ts'), feature('oauth')],
  'oauth-imports-lower-ranks-only': [feature('oauth', 'token-store.ts'), feature('webhooks')],
  'webhooks-imports-lower-ranks-only': [feature('webhooks', 'endpoint-store.ts'), feature('privacy')],
  'features-import-features-through-index': [feature('carts', 'cart-view.ts'), feature('catalog', 'product.ts')],
  'doors-import-features-through-index': ['server/src/worker/expire-carts.ts', feature('carts', 'expiry.ts')],
  'decisions-are-pure': [feature('carts', 'cart.ts'), 'server/src/platform/postgres/reader.ts'],
  'operator-imports-no-other-door': ['server/src/operator/orders.ts', 'server/src/pages/mail.ts'],
  'pages-imports-no-other-door': ['server/src/pages/login.ts', 'server/src/worker/send-mail.ts'],
  'worker-imports-no-other-door': ['server/src/worker/sweep.ts', 'server/src/operator/audit.ts'],
  'no-import-of-app': ['server/src/worker/serve.ts', 'server/src/app.ts'],
  'only-app-imports-composition': ['server/src/worker/compose.ts', 'server/src/composition/runtime.ts'],
  'doors-are-imported-dynamically': ['server/src/composition/pages.ts', 'server/src/pages/index.ts'],
  'no-import-of-process': ['server/src/operator/restart.ts', 'server/src/process.ts'],
  'sdk-imports-nothing': ['sdk/src/client.ts', '@vitrine/contract'],
  'shop-imports-the-sdk-only': ['shop/src/visit.ts', '@vitrine/contract'],
  'cli-imports-entry-points-only': ['cli/src/import.ts', 'server/src/platform/postgres/pool.ts'],
  'demo-is-imported-dynamically': ['server/src/pages/media.ts', 'server/demo/index.ts'],
  'server-does-not-import-clients': ['server/src/operator/try-out.ts', '@vitrine/sdk'],
  'production-imports-no-test-support': ['server/src/worker/deliver.ts', 'test/support/world.ts'],
  'production-uses-declared-dependencies': ['server/src/platform/observe/trace.ts', 'only-for-development'],
  'only-platform-postgres-imports-pg': ['server/src/platform/jobs/queue.ts', 'pg'],
  'site-imports-facts-only': ['site/src/states.ts', 'server/src/features/carts/lines-store.ts'],
  'nothing-imports-the-site': ['server/src/worker/announce.ts', 'site/src/page.ts'],
  'imports-are-resolvable': ['server/src/platform/observe/log.ts', 'no-such-package'],
  'no-cycles': ['server/src/platform/http/first.ts', 'server/src/platform/http/second.ts'],
  'console-has-no-cycles': ['console/src/pages/orders/orders-page.tsx', 'console/src/routes.ts'],
}

/** Permitted imports in the same tree. */
const allowed: readonly Plant[] = [
  ['server/src/kernel/money.ts', '@vitrine/contract'],
  ['server/src/kernel/randomness.ts', 'node:crypto'],
  ['server/src/platform/postgres/pool.ts', 'pg'],
  ['server/src/platform/http/errors.ts', 'server/src/kernel/refusal.ts'],
  [feature('webhooks', 'delivery-store.ts'), feature('installations')],
  [feature('carts', 'operations/getPublicCart.ts'), feature('carts', 'cart-store.ts')],
  [feature('carts', 'cart.test.ts'), 'test/support/world.ts'],
  [feature('promotions', 'promotion.ts'), 'server/src/kernel/money.ts'],
  ['server/src/worker/expire-holds.ts', feature('inventory')],
  ['server/src/app.ts', feature('carts')],
  ['server/src/app.ts', 'server/src/composition/runtime.ts'],
  ['server/src/process.ts', 'server/src/app.ts'],
  ['server/src/index.ts', 'server/src/process.ts'],
  ['sdk/src/index.ts', 'sdk/src/webhooks.ts'],
  ['sdk/src/client.test.ts', '@vitrine/contract'],
  ['cli/src/start.ts', '@vitrine/server'],
  ['server/src/demo.ts', 'server/demo/index.ts'],
  ['cli/src/demo.ts', 'server/src/demo.ts'],
  ['console/src/shell.tsx', 'console/src/page.ts'],
  ['test/support/world.ts', 'server/src/app.ts'],
]

/** Files with more text than their import. */
const written: Readonly<Record<string, string>> = {
  'cli/src/demo.ts': "await import('../../server/src/demo.ts')\n",
  'server/src/platform/http/second.ts': "import './first.ts'\n",
  'console/src/routes.ts':
    "export const load = () => import('./pages/orders/orders-page.tsx')\nexport type Route = string\n",
  'console/src/pages/orders/orders-page.tsx':
    "import type { Route } from '../../routes.ts'\nexport type Page = Route\n",
  [feature('pricing', 'tax.ts')]: "import type { Reader } from '../../platform/postgres/reader.ts'\n",
  'server/src/platform/http/handler.ts':
    "import type { Event } from '../outbox/event.ts'\nexport type Handler = Event\n",
  'server/src/platform/outbox/event.ts':
    "import type { Handler } from '../http/handler.ts'\nexport type Event = Handler\n",
}

/** `npm run check` applies the rules to the repository; this test proves that each rule catches a violation. */
let tree = ''
let found: Awaited<ReturnType<typeof importViolations>>['violations'] = []

before(async () => {
  tree = await mkdtemp(join(tmpdir(), 'vitrine-imports-'))
  const plants = [...Object.values(planted), ...allowed]
  const files = new Map<string, string>()
  for (const [, imports] of plants) if (/\.tsx?$/.test(imports)) files.set(imports, '')
  for (const name of ['contract', 'server', 'sdk']) files.set(`${name}/src/index.ts`, '')
  for (const [file, imports] of plants) files.set(file, (files.get(file) ?? '') + importing(file, imports))
  for (const [file, text] of Object.entries(written)) files.set(file, text)
  files.set('package.json', manifest('root', {}, { 'only-for-development': '1.0.0' }))
  files.set('server/package.json', manifest('@vitrine/server', { pg: '1.0.0', '@vitrine/contract': '1.0.0' }))
  for (const name of ['contract', 'sdk']) files.set(`${name}/package.json`, manifest(`@vitrine/${name}`, {}))
  for (const name of ['pg', 'only-for-development']) {
    files.set(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }))
    files.set(`node_modules/${name}/index.js`, '')
  }
  for (const [file, text] of files) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), text)
  }
  await mkdir(join(tree, 'node_modules/@vitrine'), { recursive: true })
  for (const name of ['contract', 'server', 'sdk']) {
    await symlink(join(tree, name), join(tree, 'node_modules/@vitrine', name), 'dir')
  }
  found = (await importViolations(tree, ['contract', 'server', 'sdk', 'cli', 'console', 'shop', 'site', 'test']))
    .violations
})

after(() => rm(tree, { recursive: true, force: true }))

describe('each import rule', () => {
  for (const { name, comment } of importRules) {
    test(`${name} gives its reason and catches a planted violation`, () => {
      assert.ok(comment.length > 40, 'the reason is a sentence')
      const plant = planted[name]
      assert.ok(plant, 'add a violation of this rule to the table above')
      const rules = found.filter(({ from }) => from === plant[0]).map(({ rule }) => rule)
      assert.deepEqual(rules, [name])
    })
  }

  test('allows the permitted imports', () => {
    const culprits = new Set([...Object.values(planted).map(([file]) => file), 'server/src/platform/http/second.ts'])
    assert.deepEqual(
      found.filter(({ from }) => !culprits.has(from)),
      [],
    )
  })

  test('has a plant that names an existing rule', () => {
    assert.deepEqual(Object.keys(planted).sort(), importRules.map(({ name }) => name).sort())
  })
})

function importing(file: string, imports: string): string {
  if (!/\.tsx?$/.test(imports)) return `import '${imports}'\n`
  const path = relative(dirname(file), imports)
  return `import '${path.startsWith('.') ? path : `./${path}`}'\n`
}

function manifest(name: string, dependencies: object, devDependencies: object = {}): string {
  const exports = { '.': './src/index.ts' }
  return JSON.stringify({ name, version: '1.0.0', type: 'module', exports, dependencies, devDependencies })
}
