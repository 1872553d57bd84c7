// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { WORK_COUNT_MAX } from '@vitrine/contract/operator'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { type ConsoleOfShop, elementsOf, startConsoleOfShop } from '../support/pages/console-of-shop.ts'

/** More stores than a page of the list has, in the order of their slugs. */
const names = Array.from({ length: 120 }, (_, index) => `Shop ${String(index + 1).padStart(3, '0')}`)
const slugOf = (name: string) => name.toLowerCase().replace(' ', '-')
const LAST = 'Shop 120'

describe('in a marketplace of many stores', () => {
  let console: ConsoleOfShop['console']
  let page: ConsoleOfShop['page']
  let operator: ConsoleOfShop['operator']
  const { dialog, dialogButton, button } = elementsOf(() => page)
  before(async () => {
    const stores = names.map((name) => storeLine(slugOf(name), { names: { en: name }, currencies: ['CHF'] }))
    const skus = [{ code: 'LAMP', prices: [{ currency: 'CHF', amount: 4000 }], stock: 1 }]
    const lamp = productLine('lamp', { store: slugOf(LAST), skus })
    const categories = [
      { type: 'category', owner: 'store', store: 'ceramics', path: ['cups'], names: { en: 'Cups' } },
      { type: 'category', owner: 'marketplace', path: ['gifts'], names: { en: 'Gifts' } },
      { type: 'category', owner: 'marketplace', path: ['toys'], names: { en: 'Toys' } },
      ...names
        .map((name) => name.replace('Shop', 'Toy'))
        .map((name) => {
          const slug = name.toLowerCase().replace(' ', '-')
          return { type: 'category', owner: 'marketplace', path: ['toys', slug], names: { en: name } }
        }),
    ]
    ;({ console, page, operator } = await startConsoleOfShop({ more: [...stores, ...categories, lamp] }))
  })

  /** Searches the last store, and picks it with the keyboard: Enter counts also before the store is found. */
  async function pick(label: string, within = page.locator('main')): Promise<void> {
    await within.getByRole('combobox', { name: label, exact: true }).pressSequentially('shop 12')
    await page.keyboard.press('Enter')
    await within.getByRole('button', { name: `Remove ${LAST}` }).waitFor()
  }

  test('any store is found by a part of its name, for the pages of one store at a time', async () => {
    await console.open('/tax')
    await pick('Store')
    await page.waitForURL(`**/tax?store=${slugOf(LAST)}`)
    await console.open(`/policies?store=${slugOf(LAST)}`)
    await button(`Remove ${LAST}`).waitFor()
    await page.getByLabel('Days to decide', { exact: true }).waitFor()
  })

  test('any store filters a list, where its name is shown, and the filter is removed again', async () => {
    await console.open('/products')
    await pick('Store')
    await page.getByRole('link', { name: 'Mug' }).waitFor({ state: 'detached' })
    assert.deepEqual(await page.locator('tbody td:nth-child(3)').allTextContents(), [LAST])
    await button(`Remove ${LAST}`).click()
    await page.getByRole('link', { name: 'Mug' }).waitFor()
  })

  test('a product is added to any store, with a price in its currency', async () => {
    await console.open('/products')
    await button('Add product').first().click()
    await pick('Store', dialog())
    await dialog().getByLabel('Price in CHF').fill('12')
    await dialog().getByLabel('Name', { exact: true }).fill('Rug')
    await dialog().getByLabel('SKU code').fill('RUG')
    await dialogButton('Create').click()
    await page.locator('h1', { hasText: 'Rug' }).waitFor()
    assert.equal((await operator.get('/products?q=rug')).body.data.items[0].store, slugOf(LAST))
  })

  test('products of several stores are added to categories of the marketplace, and to no other', async () => {
    await console.open('/products')
    for (const name of ['Mug', 'Product lamp']) await page.getByLabel(`Select ${name}`, { exact: true }).check()
    await button('Add categories').click()
    const categories = dialog().getByRole('combobox', { name: 'Categories', exact: true })
    await categories.pressSequentially('cups')
    await dialog().getByText('Nothing found').waitFor()
    await categories.fill('gifts')
    await page.keyboard.press('Enter')
    await dialogButton('Remove Gifts').waitFor()
    await dialogButton('Apply').click()
    await dialog().waitFor({ state: 'detached' })
    for (const name of ['mug', 'lamp']) {
      const [{ id }] = (await operator.get(`/products?q=${name}`)).body.data.items
      assert.deepEqual((await operator.get(`/products/${id}`)).body.data.categories, [['gifts']])
    }
  })

  test('many categories are shown in pages, and found by a part of their name, each with those above it', async () => {
    await console.open('/categories')
    await page.getByRole('row', { name: /^Toy 001 toy-001 / }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 100)
    await button('Next').click()
    await page.getByRole('row', { name: /^Toy 120 Toys toy-120 / }).waitFor()
    await page.getByRole('searchbox').fill('toy 07')
    await page.getByRole('row', { name: /^Toy 079 Toys / }).waitFor()
    assert.equal(await page.locator('tbody tr').count(), 10)
  })

  test('a list is as it was left, with its search, page and scroll, when the operator returns from a record', async () => {
    await console.open('/stores?q=shop')
    const first = page.getByRole('link', { name: 'Shop 001', exact: true })
    await first.waitFor()
    await button('Next').click()
    await first.waitFor({ state: 'detached' })
    const name = (await page.locator('tbody a').last().textContent()) ?? ''
    const last = page.getByRole('link', { name, exact: true })
    const isInView = async () => {
      await last.waitFor()
      const { y } = (await last.boundingBox()) ?? assert.fail('not visible')
      return y > 0 && y < (page.viewportSize()?.height ?? 0)
    }
    const openStore = async () => {
      await last.click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await openStore()
    await page.locator('.back a').click()
    assert.equal(await isInView(), true, 'by the link of the page')
    await openStore()
    await page.goBack()
    assert.equal(await isInView(), true, 'by the browser')
    await page.reload()
    assert.equal(await isInView(), true, 'after a reload')
    await button('Previous').click()
    await first.waitFor()
  })

  test('the open tasks of a kind that are counted no further are at least so many', async () => {
    await page.route('**/operator/v1/work?*', async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { readonly data: object }
      await route.fulfill({ response, json: { data: { ...data, lowStock: WORK_COUNT_MAX } } })
    })
    await console.open('/')
    await page.getByText('999+ SKUs low or sold out', { exact: true }).waitFor()
    await page.unroute('**/operator/v1/work?*')
  })

  describe('and of many installations', () => {
    const installations = names.map((name) => `App of ${name}`)
    /** The oldest one, which no select of the newest has. */
    const [oldest = ''] = installations
    before(async () => {
      for (const name of installations) {
        await operator.change('POST', '/installations', { name, environment: 'test' })
      }
    })

    test('any of them is found by a part of its name, to register an app', async () => {
      await console.open('/apps')
      await button('Register app').first().click()
      await dialog().getByRole('combobox', { name: 'Installation', exact: true }).pressSequentially('shop 001')
      await page.keyboard.press('Enter')
      await dialogButton(`Remove ${oldest} (test)`).waitFor()
      await dialog().getByLabel('Redirect URIs').fill('https://app.example/callback')
      await dialogButton('Register').click()
      await page.waitForURL('**/grants?app=*')
    })

    test('any of them filters a list, and has its name there after a reload', async () => {
      await console.open('/apps')
      await page.getByRole('combobox', { name: 'Installation', exact: true }).pressSequentially('shop 001')
      await page.keyboard.press('Enter')
      await page.getByRole('cell', { name: `${oldest} (test)` }).waitFor()
      await page.waitForURL('**/apps?*installation=*')
      await page.reload()
      await button(`Remove ${oldest} (test)`).waitFor()
    })

    test('any of them is picked for the lines of an order file', async () => {
      await console.open('/orders/import')
      await page.getByRole('combobox', { name: 'Installation', exact: true }).pressSequentially('shop 001')
      await page.keyboard.press('Enter')
      await button(`Remove ${oldest} (test)`).waitFor()
    })
  })

  test('an operator is invited for any store', async () => {
    await console.open('/operators')
    await button('Invite operator').first().click()
    await dialog().getByLabel('Email').fill('seller@example.com')
    await pick('Store', dialog())
    await dialogButton('Send invitation').click()
    await dialog().waitFor({ state: 'detached' })
    const { items } = (await operator.get('/operators')).body.data
    assert.ok(items.some(({ store }: { store?: string }) => store === slugOf(LAST)))
  })
})
