// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import type { Request, Route } from 'playwright-core'
import { bought } from '../support/commerce/after-sales.ts'
import { productLine } from '../support/commerce/catalog.ts'
import { begunSession, pressPay, readSession } from '../support/commerce/checkout.ts'
import { assertFitsEveryWindow } from '../support/pages/browser.ts'
import { FIRST, heading, pages } from '../support/pages/console.ts'
import { type ConsoleOfShop, elementsOf, startConsoleOfShop } from '../support/pages/console-of-shop.ts'

/** The console while requests fail, and where only a part of a change succeeds. */

let shop: ConsoleOfShop['shop']
let client: ConsoleOfShop['client']
let console: ConsoleOfShop['console']
let page: ConsoleOfShop['page']
let operator: ConsoleOfShop['operator']
let order: Order
before(async () => {
  const category = { type: 'category', store: 'ceramics', path: ['shirts'], names: { en: 'Shirts' } }
  const products = [productLine('belt', { price: 2000 }), productLine('hat', { price: 3000 })]
  ;({ shop, client, console, page, operator } = await startConsoleOfShop({ more: [category, ...products] }))
  order = await bought(shop, client, { MUG: 1 })
})

const { button, dialog } = elementsOf(() => page)
const errorShown = () => page.locator('.notice.bad').first().waitFor()

/** Aborts requests to a path while something is done. */
async function failing(
  path: string,
  act: () => Promise<void>,
  fails: (request: Request) => boolean = () => true,
): Promise<void> {
  const handle = (route: Route) => (fails(route.request()) ? route.abort() : route.continue())
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

describe('a record that cannot be loaded says what it is, and leads back to its list', () => {
  for (const { path, title } of pages.filter((entry) => entry.path.includes(':'))) {
    test(`as ${title}, ${path}`, async () => {
      await console.open(path.replaceAll(/:\w+/g, 'unknown'))
      await errorShown()
      assert.equal(await heading(page), title)
      assert.match(await page.title(), new RegExp(`^${title} · `))
      assert.equal(await page.getByText('Nothing was changed').count(), 0)
      const back = page.locator('.back a')
      const name = (await back.textContent())!.slice('‹ '.length)
      await back.click()
      await page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
    })
  }

  test('also while the code of its page cannot be loaded', async () => {
    await failing('**/assets/order-page*', async () => {
      await console.open(`/orders/${order.id}`)
      await errorShown()
    })
    assert.deepEqual([await heading(page), await page.locator('.back a').textContent()], ['Order', '‹ Orders'])
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

  test('by a picker that cannot load the names of what is picked', async () => {
    const [category] = (await operator.get('/categories')).body.data.items
    const { id } = await operator.change('POST', '/promotions', {
      store: 'ceramics',
      title: { en: 'Shirts' },
      code: 'SHIRTS',
      effect: { kind: 'percentage', target: 'order', rate: '0.10' },
      lines: { productIds: [], categoryIds: [category.id] },
    })
    await failing('**/operator/v1/categories*', async () => {
      await console.open(`/promotions/${id}`)
      await errorShown()
    })
    await button('Try again').click()
    await button('Remove Shirts').waitFor()
  })

  test('by the sign-out, which can be tried again', async () => {
    await console.open('/password')
    await failing(
      '**/operator/v1/session',
      async () => {
        await page.locator('details.account summary').click()
        await button('Sign out').click()
        await errorShown()
      },
      (request) => request.method() === 'DELETE',
    )
  })
})

describe('a page that cannot be loaded again after a change says that it may be out of date, until it is', () => {
  const outdated = () => page.locator('.outdated')
  const isGet = (request: Request) => request.method() === 'GET'
  const loadAgain = async () => {
    await outdated().getByText('may be out of date').waitFor()
    await outdated().getByRole('button', { name: 'Try again' }).click()
    await outdated().waitFor({ state: 'detached' })
  }

  test('as an order with a new note', async () => {
    await console.open(`/orders/${order.id}`)
    const note = page.locator('.timeline').getByText('Wrap as a present.')
    await failing(
      `**/orders/${order.id}`,
      async () => {
        await page.getByLabel('Note', { exact: true }).fill('Wrap as a present.')
        await button('Add note').click()
        await outdated().waitFor()
      },
      isGet,
    )
    assert.equal(await note.count(), 0)
    await loadAgain()
    await note.waitFor()
  })

  test('as a suspended installation', async () => {
    await console.open(`/installations/${client.installationId}`)
    await failing(
      `**/installations/${client.installationId}`,
      async () => {
        await page.getByLabel('Status', { exact: true }).selectOption('suspended')
        await button('Save').click()
        await outdated().waitFor()
      },
      isGet,
    )
    const status = page.locator('.description-list').getByText('Suspended', { exact: true })
    assert.equal(await status.count(), 0)
    await loadAgain()
    await status.waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('active')
    await button('Save').click()
    await status.waitFor({ state: 'detached' })
  })

  test('and no longer on the next page', async () => {
    await console.open(`/orders/${order.id}`)
    await failing(
      `**/orders/${order.id}`,
      async () => {
        await page.getByLabel('Note', { exact: true }).fill('Call first.')
        await button('Add note').click()
        await outdated().waitFor()
      },
      isGet,
    )
    await page.locator('.back a').click()
    await outdated().waitFor({ state: 'detached' })
  })
})

describe('a part of an order that was shipped, but whose answer was lost', () => {
  /** Ships one of two units. The server does it, and its answer is lost. */
  async function shipOneOfTwo(): Promise<() => Promise<readonly number[]>> {
    const { id } = await bought(shop, client, { MUG: 2 })
    await console.open(`/orders/${id}`)
    await button('Ship').click()
    await dialog().getByRole('spinbutton').fill('1')
    const loseAnswer = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('**/parcels', loseAnswer)
    await button('Mark as shipped').click()
    await errorShown()
    await page.unroute('**/parcels', loseAnswer)
    return async () => {
      const { lines } = (await operator.get(`/orders/${id}`)).body.data.order
      return lines.map(({ quantity }: Order['lines'][number]) => quantity.fulfilled)
    }
  }

  test('is shipped once by another try, even with a tracking number by then', async () => {
    const fulfilled = await shipOneOfTwo()
    await dialog().getByLabel('Tracking number').fill('00340434161094042557')
    await button('Mark as shipped').click()
    await dialog().waitFor({ state: 'detached' })
    assert.deepEqual(await fulfilled(), [1])
  })

  test('is shown as shipped after Cancel', async () => {
    const fulfilled = await shipOneOfTwo()
    assert.deepEqual(await fulfilled(), [1])
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await button('Mark as delivered').waitFor()
    await button('Ship').click()
    await dialog().getByText('1 remaining.').waitFor()
  })
})

describe('an order whose payment is reserved', () => {
  test('ships what license keys are not emailed for', async () => {
    await shop.run('insert into licence_pools (sku_id, created_at) values ($1, $2)', [shop.sku('BOWL'), new Date(0)])
    const session = await begunSession(shop, client, { MUG: 2, BOWL: 1 })
    const { chargeId } = await pressPay(shop, session, 'simulator', 'reserves')
    await shop.app.payments.advance(chargeId!)
    await console.open(`/orders/${(await readSession(client, session.id)).orderId}`)
    await page.getByRole('heading', { name: 'No shipments yet' }).waitFor()
    await button('Ship').click()
    const units = page.getByRole('dialog').getByRole('spinbutton')
    await units.first().fill('1')
    assert.equal(await units.count(), 1, 'the bowl is not listed')
    await button('Mark as shipped').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Digital delivery').waitFor()
  })
})

describe('after a session has ended, and the operator has signed in again,', () => {
  const signInAgain = async () => {
    const dialog = page.getByRole('dialog', { name: 'Sign in', exact: true })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await assertFitsEveryWindow(page)
    await dialog.getByLabel('Email').fill(FIRST.email)
    await dialog.getByLabel('Password').fill(FIRST.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  test('a form still has what was typed, and is saved by another try', async () => {
    await console.open(`/orders/${order.id}`)
    await page.getByLabel('Note', { exact: true }).fill('Call before the delivery.')
    await page.context().clearCookies()
    await button('Add note').click()
    await signInAgain()
    await button('Add note').click()
    await page.locator('.timeline').getByText('Call before the delivery.').waitFor()
  })

  test('a page without changes is loaded again', async () => {
    await console.open('/products')
    await page.context().clearCookies()
    await console.navigate('/orders')
    await signInAgain()
    await page.locator('main').getByText(order.number).first().waitFor()
  })
})

describe('the tags of an order', () => {
  const tags = async () => (await operator.get(`/orders/${order.id}`)).body.data.tags
  const tag = (...all: string[]) => operator.change('PUT', `/orders/${order.id}/tags`, { tags: all })

  test('are not said to be removed if that failed', async () => {
    await tag('gift')
    await console.open(`/orders/${order.id}`)
    await failing('**/tags', async () => {
      await button('Remove gift').click()
      await errorShown()
    })
    assert.equal(await page.locator('.toast').count(), 0)
    assert.deepEqual(await tags(), ['gift'])
  })

  test('keep those that another operator has added since the page was opened', async () => {
    await tag('gift', 'late')
    await console.open(`/orders/${order.id}`)
    await tag('gift', 'late', 'fragile')
    await page.getByLabel('New tag').fill('vip')
    await page.getByLabel('New tag').press('Enter')
    await button('Remove vip').waitFor()
    assert.deepEqual((await tags()).toSorted(), ['fragile', 'gift', 'late', 'vip'])
    await tag('gift', 'late', 'vip', 'stock')
    await button('Remove late').click()
    await button('Remove late').waitFor({ state: 'detached' })
    assert.deepEqual((await tags()).toSorted(), ['gift', 'stock', 'vip'])
  })

  test('stay typed if they could not be added', async () => {
    await tag('gift')
    await console.open(`/orders/${order.id}`)
    await page.getByLabel('New tag').fill('a long tag')
    await failing('**/tags', async () => {
      await page.getByLabel('New tag').press('Enter')
      await errorShown()
    })
    assert.equal(await page.getByLabel('New tag').inputValue(), 'a long tag')
  })

  test('keep those that another operator has added, if a removal is undone', async () => {
    await tag('gift')
    await console.open(`/orders/${order.id}`)
    await button('Remove gift').click()
    await page.locator('.toast').waitFor()
    await button('Remove gift').waitFor({ state: 'detached' })
    await tag('fragile')
    await button('Undo').click()
    await button('Remove gift').waitFor()
    assert.deepEqual((await tags()).toSorted(), ['fragile', 'gift'])
  })
})

test('without HTTPS, in which browsers generate no key pair, the dialog says so and offers a key without one', async () => {
  const setSecure = (value: boolean) =>
    page.evaluate(`Object.defineProperty(globalThis, 'isSecureContext', { value: ${value}, configurable: true })`)
  await console.open(`/installations/${client.installationId}`)
  await setSecure(false)
  await button('Create key').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Open the console with HTTPS, or use “vitrine key create --generate-key”.').waitFor()
  assert.deepEqual(await dialog.getByRole('option').allTextContents(), ['Not bound (read-only)'])
  await setSecure(true)
})

test('a new key stays shown while another is revoked, with one file of its private key', async () => {
  await console.open(`/installations/${client.installationId}`)
  await page.evaluate(
    'globalThis.files = 0; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { files += 1; return make(blob) }',
  )
  await button('Create key').click()
  await button('Create').click()
  const secret = await page.locator('.secret').textContent()
  await button('Revoke').last().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('cell', { name: 'Revoked', exact: true }).waitFor()
  await console.rests()
  assert.equal(await page.locator('.secret').textContent(), secret)
  assert.equal(await page.evaluate('files'), 1)
})

describe('a save of several requests, the last of which fails, is completed by another try', () => {
  const save = async () => {
    await button('Save').last().click()
    await console.rests()
  }
  const partlySaved = async () => {
    await page.getByText('The other changes are saved').waitFor()
    assert.equal(await page.getByText('Nothing was changed').count(), 0)
  }

  test('of a product: a changed brand, and the stock', async () => {
    const [{ id }] = (await operator.get('/products?q=bowl')).body.data.items
    await console.open(`/products/${id}`)
    await page.getByLabel('Brand', { exact: true }).fill('Kiln')
    await page
      .getByLabel(/^Stock.*, Default$/)
      .first()
      .fill('7')
    await failing('**/stock', async () => {
      await save()
      await partlySaved()
    })
    await save()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    const product = (await operator.get(`/products/${id}`)).body.data
    assert.equal(product.brand, 'Kiln')
    assert.ok(product.skus[0].stock.some(({ onHand }: { onHand: number }) => onHand === 7))
  })

  test('of the branding: the logo, and the color', async () => {
    const logo = { url: 'https://shop.example/logo.png', alt: { en: 'Logo' }, width: 64, height: 64 }
    await operator.change('PATCH', '/stores/ceramics', { logo })
    await console.open('/stores/ceramics')
    await button('Remove Logo').click()
    await page.getByLabel('Color of buttons and links').fill('#aa3311')
    const bar = page.getByRole('region', { name: 'Unsaved changes' })
    const saveBranding = async () => {
      await bar.getByRole('button', { name: 'Save' }).click()
      await console.rests()
    }
    await failing(
      '**/branding',
      async () => {
        await saveBranding()
        await partlySaved()
      },
      (request) => request.method() === 'PUT',
    )
    assert.equal((await operator.get('/stores/ceramics')).body.data.logo ?? null, null)
    await saveBranding()
    await bar.waitFor({ state: 'detached' })
    const { published } = (await operator.get('/stores/ceramics/decoration')).body.data
    assert.equal(published.content.theme.primaryColor, '#aa3311')
  })

  test('of a search result: the rule, and its synonyms, each of which is created once', async () => {
    await console.open('/search/edit?q=tankard')
    for (const word of ['mug', 'bowl']) {
      await page.getByLabel('Words', { exact: true }).fill(`tankard, ${word}`)
      await button('Preview synonyms').click()
      await button(`Remove tankard = ${word}`).waitFor()
    }
    await page.getByLabel('Redirect to').fill('/sale')
    await page.getByLabel('Redirect to').press('Tab')
    await console.rests()
    let sent = 0
    await failing(
      '**/search/synonyms',
      async () => {
        await save()
        await partlySaved()
      },
      () => {
        sent += 1
        return sent > 1
      },
    )
    await save()
    await page.getByText('Shoppers see it now').waitFor()
    const { items } = (await operator.get('/search/synonyms')).body.data
    assert.deepEqual(items.map(({ words }: { words: string[] }) => words.join()).toSorted(), [
      'tankard,bowl',
      'tankard,mug',
    ])
    assert.equal((await operator.get('/search/rules')).body.data.items.length, 1)
  })
})

test('a page that arrives after the operator has gone back does not replace the list', async () => {
  await console.open('/products')
  const { promise: isBack, resolve } = Promise.withResolvers<void>()
  const path = '**/assets/product-page-*.js'
  await page.route(path, async (route) => {
    await isBack
    await route.continue()
  })
  const asked = page.waitForRequest(path)
  await page.locator('tbody a').first().click()
  await asked
  await page.goBack()
  const arrived = page.waitForResponse(path)
  resolve()
  await arrived
  await console.rests()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
})

describe('the page before in a list', () => {
  const names = async () => {
    await console.rests()
    return page.locator('tbody tr').allTextContents()
  }
  const inPagesOfTwo = async (route: Route) => {
    const url = new URL(route.request().url())
    url.searchParams.set('limit', '2')
    await route.continue({ url: url.href })
  }
  before(() => page.route('**/operator/v1/products?*', inPagesOfTwo))

  test('is the one that was shown before, also after a visit to a product of the list', async () => {
    await console.open('/products?status=published')
    const shown = [await names()]
    for (const _ of [2, 3]) {
      await button('Next').click()
      shown.push(await names())
    }
    await page.locator('tbody a').first().click()
    await page.waitForURL('**/products/prod_*')
    await console.rests()
    await page.goBack()
    assert.deepEqual(await names(), shown[2])
    await button('Previous').click()
    assert.deepEqual(await names(), shown[1])
    await button('Previous').click()
    assert.deepEqual(await names(), shown[0])
    assert.equal(await button('Previous').isDisabled(), true)
  })

  test('is the first one if the list was opened by a link', async () => {
    await console.open('/products?status=published')
    const first = await names()
    await button('Next').click()
    await console.rests()
    const link = page.url()
    await page.goto('about:blank')
    await page.goto(link)
    await button('Previous').click()
    assert.deepEqual(await names(), first)
  })
})
