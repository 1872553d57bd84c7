// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { bought, lineOf, markArrived, postAfterSales } from '../support/commerce/after-sales.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { type ConsoleOfShop, elementsOf, startConsoleOfShop } from '../support/pages/console-of-shop.ts'

/** What operators edit in the console: kept while something else happens, and saved where it belongs. */

let shop: ConsoleOfShop['shop']
let client: ConsoleOfShop['client']
let console: ConsoleOfShop['console']
let page: ConsoleOfShop['page']
let operator: ConsoleOfShop['operator']
before(async () => {
  ;({ shop, client, console, page, operator } = await startConsoleOfShop())
})

const { button, dialog, dialogButton, section } = elementsOf(() => page)
const environmentShown = () => new URL(page.url()).searchParams.get('environment')
const pressed = () => page.locator('.switch [aria-pressed=true]').getAttribute('value')

async function read(path: string) {
  return (await operator.get(path)).body.data
}

/** Keeps what is typed when the console asks whether to leave. */
async function keepEditing(): Promise<void> {
  await dialogButton('Keep editing').click()
  await dialog().waitFor({ state: 'detached' })
  await console.rests()
}

describe('test and live data are not mixed up', () => {
  test('when the environment is switched while a note of an order is typed: the question comes first', async () => {
    const { id } = await bought(shop, client, { MUG: 1 })
    await console.open(`/orders/${id}`)
    assert.equal(await pressed(), 'test')
    await page.getByLabel('Note', { exact: true }).fill('Call first.')
    await page.click('.switch [value=live]')
    await keepEditing()
    assert.equal(await pressed(), 'test', 'an order of the test environment is not shown as live')
    assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Call first.')
    await page.click('.switch [value=live]')
    await dialogButton('Leave without saving').click()
    await page.waitForURL('**/orders?environment=live')
    await console.rests()
    await page.click('.switch [value=test]')
    await console.rests()
  })

  test('by a selection: it ends with the environment', async () => {
    await bought(shop, client, { MUG: 1 })
    await console.open('/fulfillment?environment=test')
    await page.locator('tbody input[type=checkbox]').first().check()
    await page.getByRole('region', { name: 'Selection' }).waitFor()
    await page.click('.switch [value=live]')
    await console.rests()
    assert.equal(environmentShown(), 'live')
    assert.equal(await page.getByRole('region', { name: 'Selection' }).count(), 0)
  })

  test('by a link to a return: the console switches to its environment', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, order)
    const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1 }]
    const { id } = (await postAfterSales(client, order.id, { lines })).body.data
    await console.open('/orders?environment=live')
    assert.equal(await pressed(), 'live')
    await console.open(`/returns/${id}`)
    await page.waitForSelector('.band')
    assert.equal(await pressed(), 'test')
  })

  test('by the orders of a customer: those of the environment are listed', async () => {
    const { id } = await bought(shop, client, { MUG: 1 })
    const customerId = shop.ids.next('cus')
    await shop.run(
      `insert into customers (id, email, email_key, password_hash, password_changed_at, locale, marketing_consent,
         accepted_documents, confirmed_at, created_at, updated_at)
       values ($1, 'ida@example.com', 'ida@example.com', '$argon2id$', $2, 'en', false, '[]', $2, $2, $2)`,
      [customerId, shop.clock.now()],
    )
    await shop.run('update orders set customer_id = $1 where id = $2', [customerId, id])
    const orders = page.locator('tbody tr')
    await console.open(`/customers/${customerId}`)
    await orders.first().waitFor()
    assert.equal(await orders.count(), 1)
    await page.click('.switch [value=live]')
    await page.getByText('No orders yet').waitFor()
    assert.equal(await orders.count(), 0)
    await page.click('.switch [value=test]')
    await orders.first().waitFor()
  })
})

test('an exchange names its replacement, with both prices, as no money moves by it', async () => {
  const order = await bought(shop, client, { MUG: 1 })
  await markArrived(shop, order)
  const lines = [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1, exchangeSkuId: shop.sku('BOWL') }]
  const { id } = (await postAfterSales(client, order.id, { kind: 'exchange', lines })).body.data
  await console.open(`/returns/${id}`)
  await page.getByText('In exchange for 1 × Product bowl').waitFor()
  await page.getByText('Costs €22.00 now, €12.54 was paid.').waitFor()
  await page.getByRole('link', { name: 'Product bowl' }).click()
  await page.waitForURL('**/products/prod_*')
})

test('an export of orders has the search and the filters of the list', async () => {
  const { number } = await bought(shop, client, { MUG: 1 })
  await console.open(`/orders?environment=test&q=${number}`)
  await button('Export CSV').click()
  assert.equal(await dialog().locator('input[name=q]').inputValue(), number)
  const { origin } = operator
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
  const answer = await fetch(`${origin}/operator/v1/exports/orders?environment=test&q=${number}`, { headers })
  const rows = (await answer.text()).trim().split('\r\n')
  assert.deepEqual([rows.length, rows[1]?.startsWith(number)], [2, true])
  await dialogButton('Cancel').click()
})

test('all orders of a page are selected at once, and are no longer after another click', async () => {
  await bought(shop, client, { MUG: 1 })
  await bought(shop, client, { MUG: 1 })
  for (const path of ['/orders?environment=test', '/products', '/fulfillment?environment=test']) {
    await console.open(path)
    const boxes = page.locator('tbody input[type=checkbox]')
    const selection = page.getByRole('region', { name: 'Selection' })
    await page.getByLabel('Select all on this page').check()
    await selection.waitFor()
    assert.equal(await page.locator('tbody input:not(:checked)').count(), 0)
    await boxes.first().uncheck()
    assert.equal(await page.getByLabel('Select all on this page').isChecked(), false)
    await page.getByLabel('Select all on this page').check()
    await page.getByLabel('Select all on this page').uncheck()
    await selection.waitFor({ state: 'detached' })
  }
})

test('the address of an order is copied as on a shipping label', async () => {
  const { id } = await bought(shop, client, { MUG: 1 })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await console.open(`/orders/${id}`)
  await button('Copy address').click()
  await page.getByText('Copied').waitFor()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const lines = copied.split('\n')
  const { shipping } = (await read(`/orders/${id}`)).order.addresses
  assert.deepEqual([lines[0], lines[1], lines.at(-1)], [shipping.recipientName, shipping.line1, 'Germany'])
})

test('Enter right after typing opens the order of that number, not what was found for less of it', async () => {
  const { id, number } = await bought(shop, client, { MUG: 1 })
  await console.open('/')
  await page.keyboard.press('Control+k')
  await dialog().waitFor()
  await page.keyboard.insertText(number)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/orders/${id}**`)
})

test('a path parameter that leads to another operation is not sent', async () => {
  await console.open('/bank-accounts')
  await button('Set account').first().click()
  await dialog().getByLabel('Currency').fill('..')
  await dialog().getByLabel('Account holder').fill('Harbor Goods')
  const sent: string[] = []
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()))
  await dialogButton('Save').click()
  await dialog().getByText('“..” cannot be used here.').waitFor()
  assert.deepEqual(sent, [])
  await dialogButton('Cancel').click()
})

describe('another store is chosen only after the question', () => {
  for (const [path, label, typed] of [
    ['/policies', 'Days to decide', '9'],
    ['/tax', 'Standard, Germany', '17'],
  ] as const) {
    test(`on ${path}`, async () => {
      await console.open(path)
      const field = page.getByLabel(label, { exact: true })
      await field.fill(typed)
      const before = await page.getByLabel('Store', { exact: true }).inputValue()
      const other = before === 'books' ? 'ceramics' : 'books'
      await page.getByLabel('Store', { exact: true }).selectOption(other)
      await keepEditing()
      assert.equal(await field.inputValue(), typed)
      assert.equal(await page.getByLabel('Store', { exact: true }).inputValue(), before, 'its store is shown')
      await page.getByLabel('Store', { exact: true }).selectOption(other)
      await dialogButton('Leave without saving').click()
      await page.waitForURL(`**${path}?store=${other}`)
      await console.rests()
      assert.notEqual(await field.inputValue(), typed)
    })
  }
})

test('retention settings that are not saved after the question are still guarded', async () => {
  await console.open('/retention')
  await page.getByLabel('Emails, in days').fill('77')
  await button('Preview and save').click()
  await dialog().getByText('Save these settings?').waitFor()
  await dialogButton('Cancel').click()
  await page.click('aside nav a:has-text("Orders")')
  await keepEditing()
  assert.equal(await page.getByLabel('Emails, in days').inputValue(), '77')
  await page.click('aside nav a:has-text("Orders")')
  await dialogButton('Leave without saving').click()
  await page.waitForURL('**/orders?**')
})

describe('a change that was made after one that can be undone is not lost by the undo', () => {
  test('of tax rates', async () => {
    await console.open('/tax?store=ceramics')
    await button('Remove Austria').click()
    await button('Undo').click()
    await button('Remove Austria').waitFor()
    await button('Remove Austria').click()
    await page.getByLabel('Standard, Germany', { exact: true }).fill('16')
    assert.equal(await button('Undo').count(), 0)
    assert.equal(await page.getByLabel('Standard, Germany', { exact: true }).inputValue(), '16')
    await button('Discard').click()
  })

  test('of a product', async () => {
    const { id } = (await read('/products?q=bowl')).items[0]
    await console.open(`/products/${id}`)
    const option = page.getByLabel('Add an option')
    await option.fill('Glaze')
    await option.press('Enter')
    await page.getByLabel('Add a value of Glaze').fill('Blue')
    await page.getByLabel('Add a value of Glaze').press('Enter')
    await page
      .getByRole('button', { name: /^Remove.*Glaze/ })
      .first()
      .click()
    await button('Undo').waitFor()
    await page.getByLabel('Subtitle').fill('For soup')
    assert.equal(await button('Undo').count(), 0)
    assert.equal(await page.getByLabel('Subtitle').inputValue(), 'For soup')
    await button('Discard').click()
  })
})

test('a contact channel is removed and put back without the changes of another operator being lost', async () => {
  const channel = (id: string) => ({ id, type: 'email', label: id, value: `${id}@example.com`, languages: ['en'] })
  const save = (...ids: string[]) => operator.change('PUT', '/contact-lists/en', { channels: ids.map(channel) })
  const saved = async () => {
    const { items } = await read('/contact-lists')
    return items.find(({ locale }: { locale: string }) => locale === 'en').channels.map(({ id }: { id: string }) => id)
  }
  await save('help', 'press')
  await console.open('/contact')
  await save('help', 'press', 'jobs')
  await page.locator('tr', { hasText: 'press' }).getByRole('button', { name: 'Remove' }).click()
  await page.getByText('jobs@example.com').waitFor()
  assert.deepEqual(await saved(), ['help', 'jobs'])
  await save('help', 'jobs', 'events')
  await button('Undo').click()
  await page.getByText('events@example.com').waitFor()
  assert.deepEqual(await saved(), ['help', 'press', 'jobs', 'events'])
})

describe('after Cancel, a list shows what has changed since', () => {
  test('if another operator was faster', async () => {
    const body = { slug: 'bowls', names: { en: 'Bowls' } }
    const { id } = await operator.change('POST', '/categories', body)
    await console.open('/categories')
    await page.locator('tr', { hasText: 'Bowls' }).getByRole('button', { name: 'Edit' }).click()
    await operator.change('PATCH', `/categories/${id}`, { names: { en: 'Deep bowls' } })
    await dialogButton('Save').click()
    await dialog().locator('.notice.bad').waitFor()
    await dialogButton('Cancel').click()
    await page.locator('tr', { hasText: 'Deep bowls' }).waitFor()
  })

  test('if the answer to its change was lost', async () => {
    await console.open('/installations')
    await button('Register installation').first().click()
    await dialog().getByLabel('Name').fill('A lost answer')
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/installations', lose)
    await dialogButton('Register').click()
    await dialog().locator('.notice.bad').waitFor()
    await page.unroute('**/installations', lose)
    await dialogButton('Cancel').click()
    await page.getByRole('link', { name: 'A lost answer' }).waitFor()
  })
})

test('a category is archived after a question, shown as such, and restored', async () => {
  await operator.change('POST', '/categories', { slug: 'jars', names: { en: 'Jars' } })
  await console.open('/categories')
  const row = page.locator('tr', { hasText: 'Jars' })
  await row.getByRole('button', { name: 'Archive' }).click()
  await dialogButton('Archive').click()
  await row.getByText('Archived').waitFor()
  await row.getByRole('button', { name: 'Restore' }).click()
  await row.getByText('Active').waitFor()
})

test('the description of a store or a category can be removed', async () => {
  await operator.change('PATCH', '/stores/books', { descriptions: { en: 'Old books.' } })
  await console.open('/stores/books')
  const details = section('Details')
  await details.getByLabel('Description').fill('')
  await details.getByRole('button', { name: 'Save' }).click()
  await console.rests()
  assert.equal((await read('/stores/books')).descriptions, undefined)

  const body = { slug: 'lids', names: { en: 'Lids' }, descriptions: { en: 'For pots.' } }
  const { id } = await operator.change('POST', '/categories', body)
  await console.open('/categories')
  await page.locator('tr', { hasText: 'Lids' }).getByRole('button', { name: 'Edit' }).click()
  await dialog().getByLabel('Description (English)').fill('')
  await dialogButton('Save').click()
  await dialog().waitFor({ state: 'detached' })
  const { items } = await read('/categories')
  assert.deepEqual(items.find((each: { id: string }) => each.id === id).descriptions, {})
})

test('the title of a promotion can be entered in each language of its store', async () => {
  await console.open('/promotions/new')
  await page.getByLabel('Store', { exact: true }).selectOption('ceramics')
  await page.getByLabel('Title shown to customers (English)').fill('Spring')
  await page.getByLabel('Title shown to customers (German)').fill('Frühling')
  await page.getByLabel('Percent off').fill('5')
  await button('Create promotion').click()
  await page.locator('h1', { hasText: 'Spring' }).waitFor()
  const { items } = await read('/promotions?q=Spring')
  assert.deepEqual(items[0].title, { en: 'Spring', de: 'Frühling' })
})

test('a new version of a legal document of a store is published for that store, after a question', async () => {
  const { document } = await operator.change('POST', '/legal-documents', {
    storeSlug: 'ceramics',
    type: 'return_policy',
    version: '1',
    locale: 'en',
    title: 'Returns of Ceramics',
    content: { format: 'plain', text: 'Within 30 days.' },
  })
  await console.open(`/legal/${document.id}`)
  await page.getByRole('link', { name: 'Publish new version' }).click()
  await page.getByLabel('Version').fill('2')
  assert.equal(await page.getByLabel('Store', { exact: true }).inputValue(), 'ceramics')
  await button('Publish').click()
  await dialogButton('Cancel').click()
  assert.equal((await read('/legal-documents?storeSlug=ceramics')).items.length, 1)
  await button('Publish').click()
  await dialogButton('Publish now').click()
  await page.locator('h1', { hasText: 'version 2' }).waitFor()
  const versions = (await read('/legal-documents?storeSlug=ceramics')).items
  assert.deepEqual(versions.map(({ version }: { version: string }) => version).toSorted(), ['1', '2'])
})

test('a design whose draft was saved before the publishing failed is published by another try', async () => {
  await console.open('/decorations/books')
  await page.getByLabel('Page title').fill('Old and new books')
  const fail = (route: Route) => route.abort()
  await page.route('**/publish', fail)
  await button('Publish').click()
  await dialogButton('Publish now').click()
  await page.locator('.notice.bad').first().waitFor()
  await page.unroute('**/publish', fail)
  await button('Publish').click()
  await dialogButton('Publish now').click()
  await page.getByText('Version 1 is published and has no unpublished changes.').waitFor()
})

test('an empty view says what it would show', async () => {
  await console.open('/disputes?view=decided&environment=test')
  await page.getByText('No decided disputes').waitFor()
})

test('after Back has left unsaved changes, Forward still goes to the pages after them', async () => {
  const follow = async (name: string, heading: string) => {
    await page.click(`aside nav a:has-text("${name}")`)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  const shows = (heading: string) => page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  await console.open('/orders')
  await follow('Site', 'Site settings')
  await follow('Customers', 'Customers')
  await page.goBack()
  await shows('Site settings')
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('Another name')
  await page.goBack()
  await keepEditing()
  assert.deepEqual([new URL(page.url()).pathname, await name.inputValue()], ['/site', 'Another name'])
  await page.goBack()
  await dialogButton('Leave without saving').click()
  await shows('Orders')
  await page.goForward()
  await shows('Site settings')
  await page.goForward()
  await shows('Customers')
})

test('a product that another operator has changed meanwhile is not overwritten, and its current version is one click away', async () => {
  const { id } = (await read('/products?q=bowl')).items[0]
  await console.open(`/products/${id}`)
  const brand = page.getByLabel('Brand', { exact: true })
  await brand.fill('Mine')
  await operator.change('PATCH', `/products/${id}`, { brand: 'Theirs' })
  await button('Save').click()
  await page.getByText('Someone has changed this since you opened it.').waitFor()
  page.once('dialog', (asked) => void asked.accept())
  const loaded = page.waitForEvent('load')
  await button('Load the current version').click()
  await loaded
  await console.rests()
  assert.equal(await brand.inputValue(), 'Theirs')
})

describe('the design of a store', () => {
  test('gets pages and languages in dialogs, each of which is shown at once, and a page is removed again', async () => {
    await console.open('/decorations/ceramics')
    await button('Add page').click()
    await dialogButton('Add').click()
    await dialog().getByText('Required.').first().waitFor()
    await dialog().getByLabel('Page title').fill('Über uns')
    await dialogButton('Add').click()
    await dialog().waitFor({ state: 'detached' })
    const title = page.getByLabel('Page title')
    assert.equal(await title.inputValue(), 'Über uns')
    await button('Add language').click()
    await dialog().getByRole('combobox', { name: 'Language' }).pressSequentially('Fren')
    await page.getByRole('option', { name: 'French' }).first().waitFor()
    await page.keyboard.press('Enter')
    await dialogButton('Add').click()
    await dialog().waitFor({ state: 'detached' })
    assert.equal(await page.locator('main').getByLabel('Language', { exact: true }).inputValue(), 'fr')
    await page.getByLabel('Page', { exact: true }).selectOption({ label: 'Über uns' })
    await button('Remove page').click()
    assert.notEqual(await title.inputValue(), 'Über uns')
    await button('Save draft').click()
    await console.rests()
    const { draft } = await read('/stores/ceramics/decoration')
    const slugs = Object.entries<{ slug: string }[]>(draft.content.pages).map(([locale, pages]) => [
      locale,
      pages.some(({ slug }) => slug === 'ueber-uns'),
    ])
    assert.deepEqual(slugs, [
      ['en', true],
      ['fr', false],
    ])
  })

  test('names a category that is not among the first ones', async () => {
    const { id } = await operator.change('POST', '/categories', { slug: 'trays', names: { en: 'Trays' } })
    const { theme } = (await read('/stores/ceramics/decoration')).draft.content
    const block = { id: 'list', type: 'category_list', props: { categoryIds: [id] } }
    const pages = { en: [{ slug: 'home', title: 'Home', blocks: [block] }] }
    await operator.change('PUT', '/stores/books/decoration/draft', { theme, pages })
    const none = (route: Route) => route.fulfill({ json: { data: { items: [], hasMore: true } } })
    await page.route('**/operator/v1/categories', none)
    await console.open('/decorations/books')
    await page.locator('.tiles').getByText('Trays').waitFor()
    await page.unroute('**/operator/v1/categories', none)
  })
})

test('another language is added to a category in the dialog that edits it', async () => {
  const { id } = await operator.change('POST', '/categories', { slug: 'cups', names: { en: 'Cups' } })
  await console.open('/categories')
  await page.locator('tr', { hasText: 'Cups' }).getByRole('button', { name: 'Edit' }).click()
  const language = dialog().getByRole('combobox', { name: 'Add language' })
  await language.pressSequentially('Po')
  await page.getByRole('option', { name: 'Polish' }).waitFor()
  await page.keyboard.press('Enter')
  await dialog().getByLabel('Name (Polish)').waitFor()
  assert.equal(await language.getAttribute('aria-expanded'), 'false', 'the other choices cover no button')
  await dialog().getByLabel('Name (Polish)').fill('Kubki')
  await dialogButton('Save').click()
  await dialog().waitFor({ state: 'detached' })
  const { items } = await read('/categories')
  assert.equal(items.find((each: { id: string }) => each.id === id).names.pl, 'Kubki')
})

test('a promotion is archived after a question, listed as such, and activated again', async () => {
  const { id } = await operator.change('POST', '/promotions', {
    title: { en: 'Winter' },
    code: 'WINTER',
    effect: { kind: 'percentage', target: 'order', rate: '0.10' },
    lines: { productIds: [], categoryIds: [] },
  })
  await console.open(`/promotions/${id}`)
  await button('Archive').click()
  await dialogButton('Archive').click()
  await button('Archive').waitFor({ state: 'detached' })
  assert.equal((await read(`/promotions/${id}`)).status, 'archived')
  await console.open('/promotions')
  await page.getByLabel('Status').selectOption('archived')
  await page.getByRole('link', { name: 'Winter' }).click()
  await button('Activate').click()
  await button('Pause').waitFor()
  assert.equal((await read(`/promotions/${id}`)).status, 'active')
})

test('a tab is closed only after a question while a file is uploaded', async () => {
  await console.open('/orders/import')
  const buffer = Buffer.from('{}')
  await page.getByLabel('File').setInputFiles({ name: 'orders.jsonl', mimeType: 'application/jsonl', buffer })
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const wait = async (route: Route) => {
    await answered
    await route.continue()
  }
  await page.route('**/order-imports*', wait)
  await button('Import').click()
  await page.getByLabel('Upload progress').waitFor()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  await (await asked).dismiss()
  answer()
  await page.getByLabel('Upload progress').waitFor({ state: 'detached' })
  await page.unroute('**/order-imports*', wait)
  await console.open('/orders/import')
  await page.getByRole('table', { name: 'Earlier imports' }).getByRole('cell', { name: 'Completed' }).waitFor()
})
