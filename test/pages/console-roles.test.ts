// test: long
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type OperatorRole, operatorRoles } from '@vitrine/contract/operator'
import type { Page } from 'playwright-core'
import { bought, markArrived, postAfterSales } from '../support/commerce/after-sales.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { type PageEntry, pages, signIn, type Watched } from '../support/pages/console.ts'
import { addExamples, filled } from '../support/pages/examples.ts'
import { siteOf } from '../support/pages/site.ts'

/** The console as roles see it that may not do everything. */

const PASSWORD = 'the pass phrase of this role'

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop({ simulator: true })
  const client = await checkoutClient(shop)
  const order = await bought(shop, client, { MUG: 1 })
  await markArrived(shop, order)
  await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
  await bought(shop, client, { BOWL: 1 })
  await addExamples(shop, client, 'ceramics', 'hooks')
  const site = siteOf(shop)
  await site.publish()
  await site.draft(shop.storeId('ceramics'))
  await site.publishDecorationDraft(shop.storeId('ceramics'))
  await shop.work()
  operator = await operatorClient(shop)
})

let invited = 0
async function consoleOf(role: OperatorRole, store: string | null = null): Promise<Watched> {
  invited += 1
  const email = `number-${invited}@operator.example`
  await operator.change('POST', '/operators', { email, role, store, password: PASSWORD })
  return signIn(shop, { email, password: PASSWORD })
}

/** Buttons and links that change nothing, by what begins their texts. */
const HARMLESS =
  /^(All steps|Hide|Copy|\d+ days|Revenue|Export|Packing slip|Board|List|Orders|Conversion|Average order|Look up|English|German|Test promotions|Calculate|Rules|Synonyms|Edit result|Edit the whole design|Edit as JSON|Back to imports|Download|Refresh|Check again|Show all|Try again|$)/

/** The texts of the buttons of a page that can be pressed, and of its links that look like buttons. */
const pressable = async (page: Page) =>
  page
    .locator('main :is(button:not(:disabled), a.button)')
    .evaluateAll((all) =>
      all.filter((each) => !each.closest('nav, fieldset:disabled')).map((each) => each.innerText.trim()),
    )

/** Whether the menu of a role has a page. */
const isOpenTo = (role: OperatorRole, store: string | null) => (entry: PageEntry) =>
  entry.menu !== undefined &&
  (entry.area === undefined || operatorRoles[role][entry.area] !== 'none') &&
  (store === null || entry.perStore === true)

/** The page of everyone's own account, the design of the console, and an email, which is in a list that this role may not see. */
const OWN = ['/password', '/design', '/mailbox/:mailId']

test('an operator who may only read has no button for a change on any page, and each page of the menu opens', async () => {
  const console = await consoleOf('read_only')
  const open = pages.filter(({ area }) => area === undefined || operatorRoles.read_only[area] !== 'none')
  for (const { path } of open.filter((entry) => !OWN.includes(entry.path))) {
    await console.navigate(await filled(shop, path))
    const buttons = (await pressable(console.page)).filter((text) => !HARMLESS.test(text))
    assert.deepEqual({ buttons, errors: await console.errors() }, { buttons: [], errors: [] }, path)
  }
})

const RECORDS = ['/orders/:orderId', '/products/:productId', '/stores/:storeSlug']
for (const [role, store, records] of [
  [
    'support',
    null,
    [...RECORDS, '/orders/import', '/returns/:afterSalesId', '/payments/:paymentId', '/customers/:customerId'],
  ],
  ['finance', null, [...RECORDS, '/payments/:paymentId', '/legal/:documentId']],
  ['catalog', null, ['/products/:productId', '/stores/:storeSlug', '/promotions/:promotionId']],
  ['manager', 'ceramics', ['/orders/:orderId', '/products/:productId', '/stores/ceramics']],
] as const) {
  test(`no page that ${role} of ${store ?? 'the marketplace'} can open loads what the role may not see`, async () => {
    const console = await consoleOf(role, store)
    const inMenu = pages.filter(isOpenTo(role, store)).map(({ path }) => path)
    const found: string[] = []
    for (const path of [...inMenu, ...records]) {
      await console.navigate(await filled(shop, path))
      const errors = (await console.errors()).filter((each) => /^\d/.test(each))
      if (errors.length > 0) found.push(`${path}: ${errors.join(', ')}`)
    }
    assert.deepEqual(found, [])
  })
}

test('a manager of one store saves its details, without deciding whether it sells', async () => {
  const { page, open } = await consoleOf('manager', 'ceramics')
  await open('/stores/ceramics')
  const details = page.locator('section.card', { has: page.getByRole('heading', { name: 'Details' }) })
  assert.equal(await details.getByLabel('Status').count(), 0)
  await details.getByLabel('Email').fill('hello@ceramics.example')
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await details.getByRole('button', { name: 'Save' }).click()
  assert.equal((await saved).status(), 200)
  const { contact } = (await operator.get('/stores/ceramics')).body.data
  assert.equal(contact.email, 'hello@ceramics.example')
})

test('a manager of one store sets its color, which is shown before it is saved', async () => {
  const { page, open } = await consoleOf('manager', 'ceramics')
  await open('/stores/ceramics')
  await page.getByLabel('Color of buttons and links').fill('#aa3311')
  await page.getByText('is easy to read').first().waitFor()
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: 'Save' }).click()
  await bar.waitFor({ state: 'detached' })
  const { published } = (await operator.get('/stores/ceramics/decoration')).body.data
  assert.equal(published.content.theme.primaryColor, '#aa3311')
})

test('a manager of one store creates what belongs to it without choosing the store', async () => {
  const { page, open, rests } = await consoleOf('manager', 'ceramics')
  await open('/promotions/new')
  await page.getByLabel('Title shown to customers (English)').fill('Sale of this store')
  await page.getByLabel('Percent off').fill('5')
  await page.getByRole('button', { name: 'Create promotion' }).click()
  await page.locator('h1', { hasText: 'Sale of this store' }).waitFor()

  await open('/categories')
  await page.getByRole('button', { name: 'Create category' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name (English)').fill('Jugs')
  await dialog.getByLabel('Slug').fill('jugs')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })

  await open('/legal')
  await page.getByRole('link', { name: 'Publish document' }).first().click()
  await page.getByLabel('Version').fill('2026-11')
  await page.getByLabel('Title').fill('Terms of Ceramics')
  await page.getByLabel('Text', { exact: true }).fill('Please read.')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.locator('h1', { hasText: 'version 2026-11' }).waitFor()
  await rests()

  const has = async (path: string, text: string) => JSON.stringify((await operator.get(path)).body.data).includes(text)
  assert.ok(await has('/promotions?store=ceramics', 'Sale of this store'))
  assert.ok(await has('/categories?store=ceramics', 'Jugs'))
  assert.ok(await has('/legal-documents?storeSlug=ceramics', '2026-11'))
})
