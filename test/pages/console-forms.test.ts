// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { bought, lineOf, markArrived, postAfterSales } from '../support/commerce/after-sales.ts'
import { begunSession, pressPay } from '../support/commerce/checkout.ts'
import { type ConsoleOfShop, elementsOf, startConsoleOfShop } from '../support/pages/console-of-shop.ts'

/** The forms of the console: what they keep, and what they ask and say. */

let shop: ConsoleOfShop['shop']
let client: ConsoleOfShop['client']
let console: ConsoleOfShop['console']
let page: ConsoleOfShop['page']
let operator: ConsoleOfShop['operator']
before(async () => {
  ;({ shop, client, console, page, operator } = await startConsoleOfShop())
})

const { button, dialog, dialogButton, section } = elementsOf(() => page)

/** Does something that sends a change to a path, and waits until the page shows the result. */
async function saved(path: string, act: () => Promise<void>): Promise<void> {
  const answered = page.waitForResponse(path)
  await act()
  await answered
  await console.rests()
}

/** Loses the answer to a change that the server makes while something is done. */
async function losing(path: string, act: () => Promise<void>): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort()
  }
  await page.route(path, lose)
  await act()
  await page.locator('.notice.bad').first().waitFor()
  await page.unroute(path, lose)
}

/** A request to return a mug that has arrived. */
async function asked() {
  const order = await bought(shop, client, { MUG: 1 })
  await markArrived(shop, order)
  const answer = await postAfterSales(client, order.id, {
    lines: [{ lineId: lineOf(shop, order, 'MUG').id, quantity: 1 }],
  })
  const { id } = answer.body.data
  return {
    id,
    path: `/returns/${id}`,
    status: async () => (await operator.get(`/after-sales/${id}`)).body.data.request.status,
  }
}

describe('what was typed in a form stays', () => {
  test('in the details of a store while its access is saved, and is saved afterwards', async () => {
    await console.open('/stores/books')
    await section('Details').getByLabel('Email').fill('hello@books.example')
    const access = section('Access')
    await access.getByLabel('Access mode').selectOption('password')
    await access.getByLabel('Password', { exact: true }).fill('clay and glaze')
    await access.getByRole('button', { name: 'Save' }).click()
    await access.getByText('Leave empty to keep the current password.').waitFor()
    await console.rests()
    assert.equal(await section('Details').getByLabel('Email').inputValue(), 'hello@books.example')
    await access.getByLabel('Password', { exact: true }).fill('glaze and clay')
    await saved('**/access', () => access.getByRole('button', { name: 'Save' }).click())
    assert.equal(await access.getByLabel('Password', { exact: true }).inputValue(), '', 'a saved password is not kept')
    await saved('**/stores/books', () => section('Details').getByRole('button', { name: 'Save' }).click())
    const { contact, accessMode } = (await operator.get('/stores/books')).body.data
    assert.deepEqual([contact.email, accessMode], ['hello@books.example', 'password'])
  })

  test('of a promotion while it is paused, and is saved afterwards', async () => {
    const { id } = await operator.change('POST', '/promotions', {
      title: { en: 'Autumn' },
      code: 'AUTUMN',
      effect: { kind: 'percentage', target: 'order', rate: '0.10' },
      lines: { productIds: [], categoryIds: [] },
    })
    await console.open(`/promotions/${id}`)
    await page.getByLabel('Total usage limit').fill('7')
    await button('Pause').click()
    await button('Activate').waitFor()
    assert.equal(await page.getByLabel('Total usage limit').inputValue(), '7')
    await saved('**/promotions/*', () => button('Save').click())
    const { usageLimit, status } = (await operator.get(`/promotions/${id}`)).body.data
    assert.deepEqual([usageLimit, status], [7, 'paused'])
  })

  test('as the note of an order, to which another operator has added one', async () => {
    const { id } = await bought(shop, client, { MUG: 1 })
    await console.open(`/orders/${id}`)
    await page.getByLabel('Note', { exact: true }).fill('Call before the delivery.')
    await operator.change('POST', `/orders/${id}/notes`, { text: 'Fragile.' })
    await page.getByLabel('New tag').fill('gift')
    await page.getByLabel('New tag').press('Enter')
    await page.locator('.timeline').getByText('Fragile.').waitFor()
    assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'Call before the delivery.')
    await button('Add note').click()
    await page.locator('.timeline').getByText('Call before the delivery.').waitFor()
    assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), '')
  })
})

describe('a change without an answer', () => {
  test('has an unknown outcome, and the same refund again is made once', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    const left = async () => (await operator.get(`/orders/${order.id}`)).body.data.moneyLeft.amount
    const before = await left()
    await console.open(`/orders/${order.id}`)
    await button('Refund').click()
    await dialog().getByLabel('Amount in').fill('1')
    await losing('**/refunds', () => dialogButton('Refund').click())
    await dialog().getByText('The outcome is unknown. Send the same again: it takes effect only once.').waitFor()
    await dialogButton('Refund').click()
    await dialog().waitFor({ state: 'detached' })
    assert.equal(await left(), before - 100)
  })

  test('is to be looked up first if it could take effect twice, also where a proxy answers', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await console.open(`/orders/${order.id}`)
    await button('Put on hold').click()
    await page.route('**/hold', (route) => route.fulfill({ status: 503, body: '<h1>Service unavailable</h1>' }))
    await dialogButton('Put on hold').click()
    await dialog().getByText('Reload the page and check before you try again.').waitFor()
    await page.unroute('**/hold')
  })

  test('is not what a page that cannot be read is', async () => {
    await page.route('**/operator/v1/products*', (route) => route.abort())
    await console.open('/products')
    await page.getByText('The server cannot be reached.').waitFor()
    assert.equal(await page.getByText('The outcome is unknown').count(), 0)
    await page.unroute('**/operator/v1/products*')
  })
})

test('a return request is withdrawn only after a question', async () => {
  const { path, status } = await asked()
  await console.open(path)
  await button('Withdraw').click()
  await dialogButton('Cancel').click()
  await dialog().waitFor({ state: 'detached' })
  await console.rests()
  assert.equal(await status(), 'requested')
  await button('Withdraw').click()
  await dialogButton('Withdraw').click()
  await button('Withdraw').waitFor({ state: 'detached' })
  assert.equal(await status(), 'withdrawn')
})

describe('after Cancel, a change whose answer was lost is shown', () => {
  test('of a return request, on its page and on the board', async () => {
    for (const place of ['page', 'board']) {
      const { id, path } = await asked()
      await console.open(place === 'page' ? path : '/returns?environment=test')
      const within = place === 'page' ? page : page.locator(`[id="${id}"]`)
      await within.getByRole('button', { name: 'Decline' }).click()
      await dialog().getByLabel('Reason').fill('It was used.')
      await losing('**/decline', () => dialogButton('Decline').click())
      await dialogButton('Cancel').click()
      await within.getByRole('button', { name: 'Decline' }).waitFor({ state: 'detached' })
      assert.equal(await page.locator('.toast').count(), 0)
    }
  })

  test('of a parcel', async () => {
    const order = await bought(shop, client, { MUG: 1 })
    await operator.change('POST', `/orders/${order.id}/parcels`, {
      reference: 'one',
      storeId: order.lines[0]!.storeId,
      lines: [{ lineId: order.lines[0]!.id, quantity: 1 }],
    })
    await console.open(`/orders/${order.id}`)
    await button('Mark as lost').click()
    await dialog().getByLabel('Reason').fill('The carrier has no trace of it.')
    await losing('**/lost', () => dialogButton('Mark as lost').click())
    await dialogButton('Cancel').click()
    await button('Mark as lost').waitFor({ state: 'detached' })
  })

  test('of a capture', async () => {
    const { chargeId } = await pressPay(shop, await begunSession(shop, client, { MUG: 1 }), 'simulator', 'reserves')
    await shop.app.payments.advance(chargeId!)
    await console.open(`/payments/${chargeId}`)
    await button('Capture').click()
    await losing('**/capture', () => dialogButton('Capture').click())
    await dialogButton('Cancel').click()
    await button('Capture').waitFor({ state: 'detached' })
  })
})

test('the dialog that approves a return request focuses its first field once it is loaded', async () => {
  const { path } = await asked()
  await console.open(path)
  await button('Approve').click()
  await dialog().getByLabel('Return address').waitFor()
  await console.rests()
  assert.equal(await page.evaluate('document.activeElement.name'), 'returnAddress')
})
