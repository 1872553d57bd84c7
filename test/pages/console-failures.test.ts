// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { productLine } from '../support/commerce/catalog.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { setUp, type Watched } from '../support/pages/console.ts'

/** The console while requests fail, and where only a part of a change succeeds. */

let shop: Shop
let console: Watched
let page: Page
let operator: OperatorClient
before(async () => {
  const products = [productLine('belt', { price: 2000 }), productLine('hat', { price: 3000 })]
  shop = await startShop({ more: products })
  console = await setUp(shop)
  page = console.page
  operator = await operatorClient(shop)
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const errorShown = () => page.locator('.notice.bad').first().waitFor()

/** Aborts requests to a path while something is done. */
async function failing(path: string, act: () => Promise<void>): Promise<void> {
  const handle = (route: Route) => route.abort()
  await page.route(path, handle)
  try {
    await act()
  } finally {
    await page.unroute(path, handle)
  }
}

describe('prices of several products, one of which has changed since', () => {
  const found = async (q: string) => (await operator.get(`/products?q=${q}`)).body.data.items[0]
  const prices = async () => [(await found('belt')).price.amount, (await found('hat')).price.amount]

  /** Halves both prices after another operator has changed the hat. */
  async function halve(): Promise<void> {
    await console.open('/products')
    for (const name of ['Product belt', 'Product hat']) await page.getByLabel(`Select ${name}`).check()
    await button('Change prices').click()
    await page.getByLabel('Change in percent').fill('-50')
    await button('Change 2 prices').waitFor()
    const hat = (await operator.get(`/products/${(await found('hat')).id}`)).body.data
    const body = { brand: `Brand ${hat.version}`, expectedVersion: hat.version }
    assert.equal((await operator.send('PATCH', `/products/${hat.id}`, body)).status, 200)
    await button('Change 2 prices').click()
    await page.getByText('The others are saved').waitFor()
  }

  test('are all saved by another try', async () => {
    await halve()
    await button('Change 1 price').click()
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
    assert.deepEqual(await prices(), [1000, 1500])
  })

  test('are no longer selected after Cancel, so that no saved price changes twice', async () => {
    await halve()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
    assert.deepEqual(await prices(), [500, 1500])
  })
})

describe('an error is shown where the server cannot be reached', () => {
  test('by the launch steps', () =>
    failing('**/operator/v1/launch*', async () => {
      await console.open('/')
      await errorShown()
    }))

  test('by the search for a product to pin', async () => {
    await console.open('/search/edit?q=belt')
    await failing('**/operator/v1/products?*', async () => {
      await page.getByLabel('Name, slug or code').fill('hat')
      await button('Find product').click()
      await errorShown()
    })
  })
})
