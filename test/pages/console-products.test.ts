// test: long
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { assertSound, setUp, type Watched } from '../support/pages/console.ts'
import { photo } from '../support/pages/photo.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
let console: Watched
let page: Page
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  await world.openPages()
  await world.import([
    storeLine('loom', { locales: ['en', 'de'], currencies: ['EUR', 'USD'], names: { en: 'Linen & Loom' } }),
    { type: 'category', store: 'loom', path: ['clothing'], names: { en: 'Clothing', de: 'Kleidung' } },
    { type: 'category', store: 'loom', path: ['clothing', 'shirts'], names: { en: 'Shirts', de: 'Hemden' } },
  ])
  const lines = [productLine('belt', { price: 2000 }), productLine('hat', { price: 3000 })]
  await world.import([...lines, productLine('scarf', { status: 'draft' })], 'loom')
  console = await setUp(world)
  page = console.page
  operator = await operatorClient(world)
})

// Set by the library of pictures when it loads.
after(() => void delete process.env.VIPSHOME)

/** Writes a screenshot if SCREENSHOTS names a folder. */
async function shot(name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  for (const [size, width] of Object.entries({ wide: 1440, narrow: 390 })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

const press = async (...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const save = async () => {
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await console.rests()
}

let productId = ''
const saved = async () => (await operator.get(`/products/${productId}`)).body.data

test('a stock that is not a whole number is refused, and not taken for an unlimited one', async () => {
  await console.open('/products')
  await page.getByRole('button', { name: 'Add product' }).click()
  await page.getByLabel('Name').fill('Wool hat')
  await page.getByLabel('SKU code').fill('WOOL')
  await page.getByLabel(/^Price in EUR/).fill('49')
  await page.getByRole('dialog').getByLabel('Stock', { exact: true }).fill('10 pieces')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog').getByText('“10 pieces” is not a whole number.').first().waitFor()
  assert.deepEqual((await operator.get('/products?q=wool%20hat')).body.data.items, [])
})

test('nor is a limit of a promotion that is not a whole number taken for none, or for a smaller one', async () => {
  await console.open('/promotions/new')
  await page.getByLabel('Title shown to customers (English)').fill('Sale')
  await page.getByLabel('Percent off').fill('10')
  for (const text of ['a hundred', '1.000']) {
    await page.getByLabel('Total usage limit').fill(text)
    await page.getByRole('button', { name: 'Create promotion' }).click()
    await page.getByText(`“${text}” is not a whole number.`).first().waitFor()
  }
  assert.deepEqual((await operator.get('/promotions')).body.data.items, [])
  // A link would ask what becomes of the promotion.
  await console.open('/products')
})

describe('a merchant makes a shirt', () => {
  test('in six variants, with the keyboard', async () => {
    await console.navigate('/products')
    await page.getByRole('button', { name: 'Add product' }).click()
    await page.getByLabel('Name').fill('Linen shirt')
    await page.getByLabel('SKU code').fill('SHIRT')
    await page.getByLabel(/^Price in EUR/).fill('49')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL('**/products/prod_*')
    await console.rests()
    productId = page.url().split('/').at(-1)!

    for (const [option, values] of [
      ['Color', 'Blue,White,'],
      ['Size', 'S,M,L,'],
    ] as const) {
      await page.getByLabel('Add an option').fill(option)
      await press('Enter')
      await page.getByLabel(`Add a value of ${option}`).pressSequentially(values)
    }
    const first = page.getByLabel('Price, Blue / S', { exact: true })
    await first.focus()
    await page.keyboard.type('49.00')
    await press('ArrowRight')
    await page.keyboard.type('59.00')
    await press('ArrowRight')
    for (const stock of ['11', '12', '13', '14', '15', '16']) {
      await page.keyboard.type(stock)
      await press('Enter')
    }
    await page.getByLabel('Weight (g), Blue / S', { exact: true }).focus()
    await page.keyboard.type('240')
    await press('ArrowDown')
    await page.keyboard.type('250')
    await save()

    const { skus, options } = await saved()
    assert.deepEqual(
      options.map(({ name, values }: { name: string; values: { value: string }[] }) => [
        name,
        values.map(({ value }) => value),
      ]),
      [
        ['color', ['blue', 'white']],
        ['size', ['s', 'm', 'l']],
      ],
    )
    assert.deepEqual(
      skus.map(({ code }: { code: string }) => code),
      ['SHIRT', 'SHIRT-BLUE-M', 'SHIRT-BLUE-L', 'SHIRT-WHITE-S', 'SHIRT-WHITE-M', 'SHIRT-WHITE-L'],
    )
    assert.deepEqual(skus[0].prices, [{ currency: 'EUR', amount: 4900, compareAt: 5900 }])
    assert.deepEqual(
      skus.map(
        ({ stock }: { stock: { environment: string; onHand: number }[] }) =>
          stock.find((each) => each.environment === 'live')?.onHand,
      ),
      [11, 12, 13, 14, 15, 16],
    )
    assert.deepEqual([skus[0].weightGrams, skus[1].weightGrams], [240, 250])
  })

  test('with pictures, ordered and described in two languages, and one for the white shirt', async () => {
    const files = [await photo('blue.jpg', '#3a5a8c'), await photo('white.jpg', '#fbfbf8')]
    await page.getByLabel('Pictures to upload').setInputFiles(files)
    await page.getByRole('listitem', { name: 'Picture 2' }).waitFor()
    const before = await page.locator('.pictures ol img').first().getAttribute('src')
    await page.getByRole('button', { name: 'Move Main picture later' }).press('Enter')
    assert.notEqual(await page.locator('.pictures ol img').first().getAttribute('src'), before)
    await page.getByRole('button', { name: 'Move Picture 2 earlier' }).press('Enter')

    await page.getByLabel('Alternative text of Main picture (English)').fill('A blue linen shirt')
    await page.getByRole('tab', { name: /English/ }).press('ArrowRight')
    await page.getByLabel('Alternative text of Main picture (German)').fill('Ein blaues Leinenhemd')
    await page.getByLabel('Name', { exact: true }).first().fill('Leinenhemd')

    await page.getByRole('button', { name: 'Picture of White / S' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Picture 2' }).click()

    await page.getByRole('button', { name: 'Remove Picture 2' }).click()
    assert.equal(await page.locator('.pictures ol li').count(), 1)
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.equal(await page.locator('.pictures ol li').count(), 2)
    await page.getByRole('combobox', { name: 'Categories' }).fill('shirts')
    await page.getByRole('option', { name: /Clothing › Shirts/ }).waitFor()
    await press('Enter')
    await page.getByLabel('Status', { exact: true }).selectOption('published')
    await shot('product')
    await save()

    const { images, names, skus, categories, status } = await saved()
    assert.deepEqual(images[0].alt, { en: 'A blue linen shirt', de: 'Ein blaues Leinenhemd' })
    assert.deepEqual(names, { en: 'Linen shirt', de: 'Leinenhemd' })
    assert.equal(skus[3].image.url, images[1].url)
    assert.deepEqual([categories, status], [[['clothing', 'shirts']], 'published'])
    const { body } = await world.anonymous.get(`/api/v1/catalog/products/${(await saved()).slug}`)
    assert.equal(body.data.images[0].sources.length, 2)
  })

  test('and sees which cell is invalid', async () => {
    await page.getByLabel('Price, Blue / M', { exact: true }).fill('cheap')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“cheap” is not an amount in EUR.').waitFor()
    assert.equal(await page.getByLabel('Price, Blue / M', { exact: true }).getAttribute('aria-invalid'), 'true')
    assert.deepEqual((await console.errors()).length, 1)
    await page.getByRole('button', { name: 'Discard' }).click()
  })

  test('with related products, found by name and ordered with the keyboard', async () => {
    const search = page.getByRole('combobox', { name: 'Add product' })
    for (const name of ['belt', 'hat', 'scarf']) {
      await search.fill(name)
      await page.getByRole('option', { name: `Product ${name}` }).waitFor()
      await press('Enter')
    }
    const names = () => page.locator('.related li a').allTextContents()
    assert.deepEqual(await names(), ['Product belt', 'Product hat', 'Product scarf'])
    await search.fill('shirt')
    await page.getByText('Nothing found').waitFor()
    await search.fill('')

    const earlier = page.getByRole('button', { name: 'Move Product scarf earlier' })
    await earlier.focus()
    await press('Enter', 'Enter')
    assert.deepEqual(await names(), ['Product scarf', 'Product belt', 'Product hat'])
    await page.getByRole('button', { name: 'Remove Product belt' }).press('Enter')
    assert.deepEqual(await names(), ['Product scarf', 'Product hat'])
    await page.getByRole('button', { name: 'Undo' }).click()
    assert.deepEqual(await names(), ['Product scarf', 'Product belt', 'Product hat'])

    await page.getByRole('link', { name: 'Product belt' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await shot('related')
    await save()
    const { relatedProducts } = await saved()
    assert.deepEqual(
      relatedProducts.map((each: { names: { en: string } }) => each.names.en),
      ['Product scarf', 'Product belt', 'Product hat'],
    )
    await page.reload()
    await console.rests()
    assert.deepEqual(await names(), ['Product scarf', 'Product belt', 'Product hat'])
    await page.locator('.related').getByText('Draft').waitFor()
  })

  test('on a page that fits every window and is accessible', async () => {
    await assertSound(console, `/products/${productId}`)
    await assertSound(console, '/products')
  })
})

describe('a merchant edits several products', () => {
  test('by ten percent, after a preview of the changes', async () => {
    await console.navigate('/products')
    for (const name of ['Product belt', 'Product hat']) await page.getByLabel(`Select ${name}`).check()
    await page.getByRole('button', { name: 'Change prices' }).click()
    await page.getByLabel('Change in percent').fill('-10')
    await page.getByText('€18.00').waitFor()
    await shot('bulk')
    await page.getByRole('button', { name: 'Change 2 prices' }).click()
    await page.getByRole('region', { name: 'Selection' }).waitFor({ state: 'detached' })
    await console.rests()
    const { items } = (await operator.get('/products?q=belt')).body.data
    assert.deepEqual(items[0].price, { amount: 1800, currency: 'EUR' })
    const belt = (await operator.get(`/products/${items[0].id}`)).body.data
    assert.deepEqual(belt.skus[0].prices, [{ currency: 'EUR', amount: 1800, compareAt: 2000 }])
    await shot('products')
  })

  test('with prices that have a decimal comma in German', async () => {
    const { items } = (await operator.get('/products?q=belt')).body.data
    const inLanguage = async (language: string) => {
      await page.evaluate(`localStorage.setItem('vitrine.language', '${language}')`)
      await console.open(`/products/${items[0].id}`)
      await page.getByRole('heading', { name: 'Product belt' }).waitFor()
      return page.evaluate<string[]>('[...document.querySelectorAll("input")].map(({ value }) => value)')
    }
    assert.deepEqual(
      (await inLanguage('de')).filter((value) => /^\d+,\d\d$/.test(value)),
      ['18,00', '20,00'],
    )
    assert.ok((await inLanguage('en')).includes('18.00'))
  })

  test('and duplicates and archives one', async () => {
    await console.navigate(`/products/${productId}`)
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Linen shirt (2)' }).waitFor()
    await console.rests()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('button', { name: 'Restore' }).waitFor()
    const { items } = (await operator.get('/products?status=archived')).body.data
    assert.deepEqual(
      items.map(({ name, skuCount }: { name: string; skuCount: number }) => [name, skuCount]),
      [['Linen shirt (2)', 6]],
    )
    const copy = (await operator.get(`/products/${items[0].id}`)).body.data
    assert.deepEqual(copy.relatedProductIds, (await saved()).relatedProductIds)
    assert.deepEqual(await console.errors(), [])
  })
})
