// test: long
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { bought, markArrived, postAfterSales, postCancellation } from '../support/commerce/after-sales.ts'
import { productLine } from '../support/commerce/catalog.ts'
import { checkoutClient } from '../support/commerce/checkout.ts'
import { paidBy } from '../support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { shopifyProducts, shopifyTable } from '../support/commerce/shopify-table.ts'
import { operatorClient } from '../support/operator.ts'
import { assertAccessible, assertFitsEveryWindow } from '../support/pages/browser.ts'
import { assertSound, FIRST, pages, setUp, type Watched } from '../support/pages/console.ts'
import { addExamples, filled } from '../support/pages/examples.ts'
import { siteOf } from '../support/pages/site.ts'

/** A word that browsers cannot break and that is wider than a phone. */
const UNBROKEN = 'Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger'

/** A shop with an example of everything that a page can show, and with the worst names. */
async function startFullShop(): Promise<Shop> {
  const prices = [{ currency: 'EUR', amount: 9_999_999 }]
  const worst = productLine('worst', { names: { en: UNBROKEN }, skus: [{ code: 'WORST', prices, stock: 9 }] })
  const glazes = ['oat', 'sage']
  const cups = productLine('cup', {
    names: { en: 'Cup' },
    options: [{ name: 'glaze', values: glazes.map((value) => ({ value })) }],
    skus: glazes.map((glaze) => ({ code: `CUP-${glaze}`, options: { glaze }, prices, stock: 9 })),
  })
  const shop = await startShop({ more: [worst, cups] })
  const client = await checkoutClient(shop)
  const order = await bought(shop, client, { WORST: 2, VASE: 1 })
  await markArrived(shop, order)
  await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
  await paidBy(shop, client, { BOWL: 3 })
  await addExamples(shop, client, 'ceramics', UNBROKEN.replaceAll('ä', 'a').replaceAll('ü', 'u'))
  const site = siteOf(shop)
  await site.publish()
  await site.draft(shop.storeId('ceramics'))
  await site.publishDecorationDraft(shop.storeId('ceramics'))
  await shop.work()
  return shop
}

describe('the console of a shop', () => {
  let shop: Shop
  let console: Watched
  before(async () => {
    shop = await startFullShop()
    console = await setUp(shop)
  })

  for (const { path, title } of pages) {
    test(`shows ${title}, ${path}, in every window`, async () => assertSound(console, await filled(shop, path)))
  }

  test('opens in the environment that has orders, with open tasks and the sales of each day, by keyboard', async () => {
    const { page, open } = console
    await open('/')
    await page.waitForSelector('.band')
    await page.getByRole('link', { name: '1 return to handle' }).waitFor()
    const chart = page.getByRole('slider', { name: 'Revenue' })
    await chart.focus()
    const last = await chart.getAttribute('aria-valuetext')
    assert.match(last ?? '', /: €[1-9].* Previous 30 days: €0\.00\.$/)
    await chart.press('ArrowLeft')
    assert.notEqual(await chart.getAttribute('aria-valuetext'), last)
    await page.getByRole('button', { name: /^Orders/ }).press('Enter')
    await page.getByRole('slider', { name: 'Orders' }).waitFor()
    await page.getByRole('link', { name: 'shipment to send' }).press('Enter')
    await page.getByRole('heading', { name: 'Fulfillment', level: 1 }).waitFor()
  })

  test('finds an order by its number and a product by a part of its name, by keyboard', async () => {
    const { page, open } = console
    await open('/customers')
    const [order] = await shop.query('select number from orders order by created_at limit 1')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type(String(order!.number).toLowerCase())
    await page.getByRole('option', { name: String(order!.number) }).waitFor()
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: String(order!.number), level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Live' }).press('Enter')
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'No orders yet' }).waitFor()
    await page.getByRole('button', { name: 'Test' }).press('Enter')
    await page.getByRole('link', { name: String(order!.number) }).waitFor()
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('schifffahrt')
    await page.getByRole('option', { name: UNBROKEN }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('names the store of a row, and j and k go from row to row', async () => {
    const { page, open } = console
    await open('/products')
    const rows = page.locator('tbody tr')
    await rows.nth(0).getByRole('link').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    assert.ok(await rows.nth(1).evaluate((row) => row.contains(row.ownerDocument.activeElement)))
    await page.getByRole('searchbox').fill('jk')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'jk', 'letters are typed elsewhere')
    await open('/fulfillment')
    const [store] = await shop.query(`select names ->> 'en' as name from stores where slug = 'ceramics'`)
    await page
      .getByRole('cell', { name: String(store!.name), exact: true })
      .first()
      .waitFor()
  })

  test('imports a file to its end after its tab was closed, and says if no worker runs', async () => {
    const tab = await console.page.context().newPage()
    await tab.goto(`${console.origin}/imports`)
    await tab.getByRole('button', { name: 'Import catalog' }).first().click()
    const dialog = tab.getByRole('dialog')
    await dialog.getByLabel('Default store').selectOption('ceramics')
    const buffer = Buffer.from(JSON.stringify(productLine('saucer')))
    await dialog.getByLabel('File').setInputFiles({ name: 'saucers.jsonl', mimeType: 'application/jsonl', buffer })
    await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    await tab.locator('h1', { hasText: 'saucers.jsonl' }).waitFor()
    await tab.getByText('You can leave this page').waitFor()
    shop.clock.advance(11_000)
    await tab.getByText('No worker is running').waitFor()
    await tab.close()

    await shop.work()
    await console.open('/imports')
    const row = console.page.getByRole('row', { name: /saucers\.jsonl/ })
    assert.match((await row.textContent()) ?? '', /Completed/)
  })

  test('previews a Shopify export, imports it with a mapped column, shows rejected rows, and undoes the import', async () => {
    const { page } = console
    const wrong = { ...shopifyProducts(2).at(-2), Handle: 'free', 'Variant Price': 'free' }
    // The addresses of the pictures do not exist.
    const rows = [...shopifyProducts(6), wrong].map((row) => ({ ...row, 'Image Src': '', 'Variant Image': '' }))
    await console.open('/imports')
    await page.getByRole('button', { name: 'Import catalog' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Default store').selectOption('ceramics')
    const buffer = Buffer.from(shopifyTable(rows))
    await dialog.getByLabel('File').setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer })
    await dialog.getByRole('button', { name: 'Preview', exact: true }).click()
    await page.getByText('This is a product export from Shopify.').waitFor()
    await page.getByRole('cell', { name: '"free" is not an amount in EUR.' }).waitFor()
    await assertFitsEveryWindow(page)
    await page.getByText('Column mapping').click()
    await page.getByLabel('Tags imported as').selectOption('Not imported')
    await page.getByText('The columns are matched as you chose.').waitFor()

    await page.getByRole('button', { name: 'Import 6 products' }).click()
    await page.waitForURL('**/imports/imp_*')
    await shop.work()
    await page.getByRole('row', { name: /Variant Price: "free"/ }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    const rejected = await readFile(await (await downloading).path(), 'utf8')
    assert.match(rejected, /Import error\r\nfree,.*is not an amount in EUR/s)

    await page.getByRole('button', { name: 'Undo import…' }).click()
    await dialog.getByText('New products removed').waitFor()
    await dialog.getByRole('button', { name: 'Undo import', exact: true }).click()
    await page.getByText('This import is being undone.').waitFor()
    await shop.work()
    await page.getByText('This import was undone.').waitFor()
  })

  test('edits the texts of an email by keyboard, locates a mistake, and shows the email in a frame without script', async () => {
    const { page } = console
    await console.open('/mail-templates/orders.confirmed/en?store=ceramics')
    const frame = page.frameLocator('iframe.mail')
    await frame.getByRole('link', { name: 'View your order' }).first().waitFor()
    assert.equal(await page.getAttribute('iframe.mail', 'sandbox'), '')

    await page.getByLabel('Heading').fill('Thank you, ')
    await page.getByRole('button', { name: 'customer.name' }).press('Enter')
    await frame.getByRole('heading', { name: 'Thank you, Ada Example' }).waitFor()
    await page.getByLabel('Subject').fill('Order {{order.numer}}')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.locator('.error', { hasText: '{{order.numer}} in line 1, column 7,' }).waitFor()
    await page.getByLabel('Subject').fill('Order {{order.number}}')
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Version 1 is in use').waitFor()
    await page.getByRole('button', { name: 'Send a test email to me' }).press('Enter')
    await page.getByText(`on its way to ${FIRST.email}`).waitFor()

    await shop.work()
    await console.open('/mailbox')
    await page.getByRole('link', { name: '[Test] Order V-10001', exact: true }).press('Enter')
    await frame.getByRole('heading', { name: 'Thank you, Ada Example' }).waitFor()
    const refused = await console.errors()
    assert.ok(refused.length > 0 && refused.every((each) => /400/.test(each)), `only the mistake: ${refused}`)
  })

  test('ships several orders at once: a failed one is named, keeps its tracking number, and can be shipped later', async () => {
    const { page } = console
    const client = await checkoutClient(shop)
    const { id } = await paidBy(shop, client, { BOWL: 1 })
    const operator = await operatorClient(shop)
    const { order } = await operator.change('POST', `/orders/${id}/hold`, { reason: 'Call first.' })
    await console.open('/fulfillment?environment=test')
    await page.getByRole('button', { name: /^Select all/ }).press('Enter')
    await page.getByRole('button', { name: 'Ship', exact: true }).press('Enter')
    await page.getByText('Paste tracking numbers').click()
    await page.locator('details textarea').fill(`${order.number}\t0034`)
    const { promise: others, resolve: allowOthers } = Promise.withResolvers<void>()
    let requests = 0
    await page.route('**/operator/v1/orders/*/*', async (route) => {
      requests += 1
      if (requests > 1) await others
      await route.continue()
    })
    await page.getByRole('button', { name: /^Mark .+ as shipped$/ }).press('Enter')
    await page.getByText('Shipped', { exact: true }).first().waitFor()
    assert.equal(await page.getByText(' failed.').count(), 0, 'the others have not been tried')
    allowOthers()
    await page.getByText(', 1 failed.').waitFor()
    await page.unroute('**/operator/v1/orders/*/*')
    assert.equal(await page.getByLabel(`Tracking number of ${order.number}`).inputValue(), '0034')
    await operator.change('POST', `/orders/${id}/release`, {})
    await page.getByRole('button', { name: 'Mark as shipped', exact: true }).press('Enter')
    await page.getByRole('heading', { name: /^Nothing to ship$|^No results$/ }).waitFor()
    const { fulfilments: parcels } = (await operator.get(`/orders/${id}`)).body.data
    assert.deepEqual([parcels.length, parcels[0].status, parcels[0].trackingNumber], [1, 'dispatched', '0034'])
    const refused = await console.errors()
    assert.ok(refused.length > 0 && refused.every((each) => /409/.test(each)), `only the hold: ${refused}`)

    await shop.run("update orders set locale = 'de' where id = $1", [id])
    await assertSound(console, `/orders/packing-slips?orders=${id}`)
    const slip = page.getByRole('article')
    assert.equal(await slip.getAttribute('lang'), 'de')
    assert.match((await slip.textContent()) ?? '', new RegExp(`^Lieferschein.*Deutschland.*${order.number}`))
  })

  test('decides a return on its card, with the address of the policy, and the focus follows the card', async () => {
    const { page } = console
    await console.open('/returns?environment=test')
    await page.getByRole('button', { name: 'Approve', exact: true }).first().press('Enter')
    await page.getByLabel('Return address').fill('Loom Returns\n10115 Berlin')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).press('Enter')
    const card = page.getByRole('region', { name: /^Waiting for items/ }).getByRole('link')
    await card.waitFor()
    await console.rests()
    assert.equal(
      await page.evaluate('document.activeElement.closest("section")?.querySelector("h2")?.textContent'),
      'Waiting for items 1',
    )
    await card.press('Enter')
    await page.getByText('10115 Berlin').waitFor()
    assert.deepEqual(await console.errors(), [])
  })

  test('adds products to a query without results, as the preview shows, by keyboard', async () => {
    const { page } = console
    const search = async (q: string) => {
      await shop.refresh()
      const { body } = await shop.anonymous.get(`/api/v1/search?q=${q}`)
      return body.data.map(({ name }: { name: string }) => name)
    }
    for (const q of ['tankard', 'tankards', 'tankard', 'tankard', 'mug']) await search(q)
    await shop.app.writeCounts()
    await assertSound(console, '/search')
    await page.getByRole('button', { name: 'Add synonym for tankard', exact: true }).press('Enter')
    await page.getByRole('heading', { name: 'Result of “tankard”' }).waitFor()
    await page.getByLabel('Words', { exact: true }).fill('mug')
    await page.getByRole('button', { name: 'Preview synonyms' }).press('Enter')

    const edited = page.locator('.results section').first()
    const shown = () => edited.locator('li strong').allTextContents()
    await edited.locator('strong', { hasText: 'Mug' }).waitFor()
    await page.getByLabel('Name, slug or code').fill('vase')
    await page.getByRole('button', { name: 'Find product' }).press('Enter')
    await page.getByRole('button', { name: /^Pin Product vase/ }).press('Enter')
    await edited.getByRole('button', { name: 'Unpin Product vase' }).waitFor()
    await edited.getByRole('button', { name: 'Pin Mug', exact: true }).press('Enter')
    // The focus moves with the product once the preview has loaded.
    await edited.getByRole('button', { name: 'Unpin Mug' }).waitFor()
    await console.rests()
    await edited.getByRole('button', { name: 'Up Mug' }).press('Enter')
    await edited.locator('li:first-child strong', { hasText: 'Mug' }).waitFor()
    assert.deepEqual(await shown(), ['Mug', 'Product vase'])
    assert.match(
      String(await page.evaluate('document.activeElement?.textContent')),
      /^Down Mug/,
      'the focus moves along',
    )
    assert.deepEqual(await search('tankard'), [], 'nothing is saved yet')

    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Shoppers see it now').waitFor()
    assert.deepEqual(await search('tankard'), await shown())
    await console.open('/search')
    await assertSound(console, '/search/edit?q=tankard')
    await edited.getByRole('button', { name: 'Hide Mug' }).press('Enter')
    await page.getByRole('heading', { name: 'Hidden products' }).waitFor()
    await console.rests()
    assert.deepEqual(await shown(), ['Product vase'])
    await page.locator('.back a').press('Enter')
    await page.getByRole('button', { name: 'Leave without saving' }).press('Enter')
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor()
    await assertSound(console, '/search/rules')
    await assertSound(console, '/search/edit?q=fridges')
    await page.getByRole('button', { name: 'Switch off fridge = refrigerator' }).press('Enter')
    await page.getByText('Switched off', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Shoppers see it now').waitFor()
    await page.getByRole('button', { name: 'Switch on fridge = refrigerator' }).waitFor()
    await assertSound(console, '/search/synonyms')
    const shipped = (name: string) => page.getByRole('checkbox', { name })
    assert.equal(await shipped('fridge = refrigerator').isChecked(), false)
    await shipped('fridge = refrigerator').press('Space')
    await shipped('fridge = refrigerator').press('Space')
    await shipped('laptop = notebook').press('Space')
    await page.getByRole('button', { name: 'Switch all on' }).press('Enter')
    await shipped('fridge = refrigerator').press('Space')
    await console.rests()
    await console.open('/search/synonyms')
    assert.equal(await shipped('fridge = refrigerator').isChecked(), false, 'the last change counts')
    assert.equal(await shipped('laptop = notebook').isChecked(), true)
    await page.getByRole('button', { name: 'Switch all off' }).press('Enter')
    assert.equal(await page.getByRole('button', { name: 'Switch all off' }).isDisabled(), true)
    await page.getByLabel('Language').last().selectOption('de')
    assert.equal(await shipped('fridge = refrigerator').count(), 0)
    await shipped('Kühlschrank = Kühlgerät').press('Space')
    await console.rests()
    await console.open('/search/synonyms')
    await page.getByLabel('Language').last().selectOption('de')
    assert.equal(await shipped('Kühlschrank = Kühlgerät').isChecked(), false)
    assert.equal(await shipped('Laptop = Notebook').isChecked(), true, 'those of other languages stay on')
  })

  test('tells two variants of a product apart where an order is shipped or canceled', async () => {
    const { page } = console
    const client = await checkoutClient(shop)
    const { id } = await paidBy(shop, client, { 'CUP-oat': 1, 'CUP-sage': 1 })
    await console.open(`/orders/${id}`)
    await page.getByText('1 × Cup (oat), 1 × Cup (sage)', { exact: true }).waitFor()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Ship', exact: true }).press('Enter')
    await dialog.getByLabel('Cup (sage)', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancel items', exact: true }).press('Enter')
    await dialog.getByLabel('Cup (oat)', { exact: true }).fill('0')
    await dialog.getByText('Back to stock: 1 × Cup (sage).').waitFor()
    await page.keyboard.press('Escape')

    const operator = await operatorClient(shop)
    const { order } = await operator.change('POST', `/orders/${id}/begin`, {})
    const lineId = order.lines.find(({ code }: { readonly code: string }) => code === 'CUP-sage').id
    assert.equal((await postCancellation(client, id, { lines: [{ lineId, quantity: 1 }] })).status, 200)
    await console.open(`/orders/${id}`)
    await page.getByText('1 × Cup (sage)', { exact: true }).waitFor()
    await console.open('/cancellations?environment=test')
    const asked = page.getByRole('row').filter({ has: page.getByRole('link', { name: order.number, exact: true }) })
    await asked.getByRole('button', { name: 'Review' }).press('Enter')
    await dialog.getByText('1 × Cup (sage)', { exact: true }).waitFor()
  })
})
