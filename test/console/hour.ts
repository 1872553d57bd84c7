/**
 * A merchant's hour at the console, by keyboard alone: `npm run test:console`. It makes a shirt in six variants with pictures, imports
 * 500 products from a Shopify export, starts a sale for a week, packs and ships yesterday's orders, decides on a return, and
 * reads the month's revenue: in English in a wide window, and in German on a phone in the dark.
 *
 *   SCREENSHOTS=folder npm run test:console   also writes pictures of each step: wide and narrow, light and dark
 *
 * See README.md.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { shopifyProducts, shopifyTable } from '../support/commerce/shopify-table.ts'
import { operatorClient } from '../support/operator.ts'
import { NARROW, WIDE } from '../support/pages/browser.ts'
import { setUp, type Watched } from '../support/pages/console.ts'
import { photo } from '../support/pages/photo.ts'
import { type Business, startBusiness } from './business.ts'
import { Keyboard } from './keyboard.ts'
import { photograph } from './photograph.ts'
import { observeShifts } from './shifts.ts'

const PRODUCTS = 500
/** 0.1 is what browsers call good. Less than this cannot be seen. */
const SHIFT_MAX = 0.01
const german: Readonly<Record<string, string>> = JSON.parse(
  await readFile(new URL('../../console/src/languages/de.json', import.meta.url), 'utf8'),
)

const HOURS: Readonly<Record<string, BrowserContextOptions>> = {
  en: { viewport: WIDE, locale: 'en-US', timezoneId: 'UTC' },
  de: { viewport: NARROW, locale: 'de-DE', timezoneId: 'UTC', colorScheme: 'dark' },
}

for (const [language, options] of Object.entries(HOURS)) {
  describe(`the hour in ${language}, ${options.viewport!.width} px wide, by keyboard`, () => {
    let business: Business
    let console: Watched
    let page: Page
    let keys: Keyboard
    let operator: Awaited<ReturnType<typeof operatorClient>>
    let shift = 0
    before(async () => {
      business = await startBusiness()
      const { shop } = business
      console = await setUp(shop, { ...options, now: shop.clock.now() })
      page = console.page
      await page.addInitScript(observeShifts(false))
      keys = new Keyboard(page)
      operator = await operatorClient(shop)
      await console.open('/')
    })
    after(() => {
      process.stdout.write(`${language}: ${keys.pressed} keys, layout shift ${shift.toFixed(4)}\n`)
      // Set by the library of pictures when it loads.
      delete process.env.VIPSHOME
    })

    /** A text of the console in this language. */
    const say = (english: string, values: Readonly<Record<string, string | number>> = {}) => {
      const text = language === 'de' ? german[english] : english
      assert.ok(text, `${english} has a text in ${language}`)
      return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
    }
    const button = (english: string, values = {}) =>
      page.getByRole('button', { name: say(english, values), exact: true })
    const field = (english: string, values = {}, root: Page | Locator = page) =>
      root.getByLabel(say(english, values), { exact: true })
    const dialog = () => page.getByRole('dialog')
    const title = (text: string | RegExp) => page.getByRole('heading', { level: 1, name: text }).waitFor()
    /** Ends a step: nothing has failed, and nothing has moved. */
    const end = async (name: string) => {
      await console.rests()
      assert.deepEqual(await console.errors(), [])
      const moved = await page.evaluate<number>('window.shift')
      assert.ok(moved < SHIFT_MAX, `${name} moves by ${moved}: ${await page.evaluate('[...window.moved].join(" | ")')}`)
      shift = Math.max(shift, moved)
      await page.evaluate('window.shift = 0; window.moved.clear()')
      await photograph(page, `${language}-${name}`)
    }
    /** Opens a page by the search of the console. */
    const go = async (english: string) => {
      await keys.press('Control+k')
      await dialog().waitFor()
      await keys.write(say(english))
      const wanted = dialog()
        .getByRole('option', { name: say(english) })
        .filter({ has: page.getByText(say(english), { exact: true }) })
        .first()
      await wanted.waitFor()
      await console.rests()
      while ((await wanted.getAttribute('aria-selected')) !== 'true') await keys.press('ArrowDown')
      await keys.press('Enter')
      await title(say(english))
      await console.rests()
    }

    test('sees what waits', async () => {
      await page.getByText(say('{count} shipments to send', { count: business.waiting.length })).waitFor()
      await end('1-today')
    })

    test('makes a shirt in six variants, with uploaded pictures', async () => {
      await go('Products')
      await keys.use(button('Add product'))
      await keys.fill(field('Name', {}, dialog()), 'Riverside shirt')
      await keys.fill(field('SKU code', {}, dialog()), 'SHIRT')
      await keys.fill(dialog().getByLabel(say('Price in {currency}', { currency: 'EUR' })), '49')
      await keys.press('Enter')
      await title('Riverside shirt')
      await console.rests()
      await keys.upload(button('Add pictures'), await photo('blue.jpg', '#3a5a8c'), await photo('white.jpg', '#fbfbf8'))
      await page.locator('.pictures ol img').nth(1).waitFor({ timeout: 120_000 })
      for (const [option, values] of [
        [say('Color'), 'Blue,White'],
        [say('Size'), 'S,M,L'],
      ] as const) {
        await keys.fill(field('Add an option'), option)
        await keys.press('Enter')
        await keys.to(field('Add a value of {label}', { label: option }))
        await keys.write(values)
        await keys.press('Enter')
      }
      await keys.to(page.getByLabel(`${say('Price')}, Blue / S`, { exact: true }))
      await keys.write('49.00')
      await keys.press('ArrowRight')
      await keys.write('59.00')
      await keys.press('ArrowRight')
      for (const stock of ['11', '12', '13', '14', '15', '16']) {
        await keys.write(stock)
        await keys.press('Enter')
      }
      await keys.use(button('Picture of {name}', { name: 'White / S' }))
      await keys.use(dialog().getByRole('button', { name: say('Picture {index}', { index: 2 }) }))
      await dialog().waitFor({ state: 'detached' })
      await keys.pick(page.getByRole('combobox', { name: say('Categories') }), 'vas', /Vas/)
      await keys.choose(field('Status'), say('Published'))
      await end('2-shirt')
      await keys.press('Control+s')
      await page.getByRole('region', { name: say('Unsaved changes') }).waitFor({ state: 'detached' })
      const [shirt] = (await operator.get('/products?q=riverside')).body.data.items
      assert.deepEqual([shirt.skuCount, shirt.status, shirt.image !== null], [6, 'published', true])
    })

    test(`imports ${PRODUCTS} products from a Shopify export`, async () => {
      await go('Imports')
      await keys.use(button('Import catalog').first())
      const pictures = (await operator.get('/products?store=havelton&limit=50')).body.data.items.map(
        ({ image }: { image: string }) => image,
      )
      const rows = shopifyProducts(PRODUCTS).map((row, at) => ({
        ...row,
        'Image Src': row['Image Src'] && pictures[at % pictures.length],
        'Variant Image': '',
      }))
      const buffer = Buffer.from(shopifyTable(rows))
      await keys.upload(field('File', {}, dialog()), { name: 'products_export.csv', mimeType: 'text/csv', buffer })
      await keys.use(dialog().getByRole('button', { name: say('Preview'), exact: true }))
      const start = button('Import {count} products', { count: PRODUCTS })
      await start.waitFor()
      await end('3-import-preview')
      await keys.use(start)
      await page.waitForURL('**/imports/imp_*')
      await business.shop.work()
      await page.getByText(say('Completed'), { exact: true }).first().waitFor()
      await end('4-import')
    })

    test('starts a sale for a week', async () => {
      await go('Promotions')
      await keys.use(page.getByRole('link', { name: say('Create promotion') }).first())
      await title(say('Create promotion'))
      const english = new Intl.DisplayNames(language, { type: 'language' }).of('en')
      const label = `${say('Title shown to customers')} (${english})`
      await keys.fill(page.getByLabel(label, { exact: true }), 'Riverside week')
      await keys.fill(field('Percent off'), '20')
      await keys.choose(field('Applies to'), say('Each item'))
      await keys.pick(page.getByRole('combobox', { name: say('Products') }), 'riverside', /Riverside shirt/)
      const now = business.shop.clock.now()
      await date(keys, field('Starts at'), now)
      await date(keys, field('Ends at'), new Date(now.getTime() + 7 * 86_400_000))
      await end('5-sale')
      await keys.press('Enter')
      await title('Riverside week')
      await end('6-sale-made')
      const { items } = (await operator.get('/promotions?q=riverside')).body.data
      const week = items.find((each: { title: { en: string } }) => each.title.en === 'Riverside week')
      assert.equal(Date.parse(week.endsAt) - Date.parse(week.startsAt), 7 * 86_400_000)
    })

    test("packs and ships yesterday's orders", async () => {
      const { waiting } = business
      await go('Today')
      await keys.use(page.getByRole('link', { name: say('{count} shipments to send', { count: waiting.length }) }))
      await title(say('Fulfillment'))
      await keys.use(button('Select all {count}', { count: waiting.length }))
      await keys.use(page.getByRole('link', { name: say('Packing slips') }))
      await page
        .getByRole('article')
        .nth(waiting.length - 1)
        .waitFor()
      await end('7-packing-slips')
      await keys.use(page.locator('.back a'))
      await title(say('Fulfillment'))
      await keys.use(button('Select all {count}', { count: waiting.length }))
      await keys.use(button('Ship'))
      await keys.fill(field('Carrier', {}, dialog()), 'Parcel & Sons')
      await keys.use(dialog().locator('summary'))
      await keys.to(dialog().locator('textarea'))
      await page.keyboard.insertText(waiting.map((number, at) => `${number}\t0034-${at}`).join('\n'))
      await end('8-ship')
      await keys.use(button('Mark {left} as shipped', { left: waiting.length }))
      await page.getByRole('heading', { name: say('Nothing to ship') }).waitFor()
      await end('9-shipped')
    })

    test('decides on a return', async () => {
      await go('Returns')
      await keys.use(button('Approve').first())
      await keys.fill(field('Return address', {}, dialog()), 'Havelton Returns')
      await end('10-return')
      await keys.use(dialog().getByRole('button', { name: say('Approve'), exact: true }))
      await page.getByRole('region', { name: new RegExp(`^${say('Waiting for items')} 1`) }).waitFor()
      await end('11-returns')
    })

    test("reads the month's revenue", async () => {
      await go('Today')
      const revenue = await business.shop.query(
        `select sum((totals->'total'->>'amount')::bigint) as minor from orders where placed_at >= $1`,
        [new Date(Date.parse((await operator.get('/sales?environment=test&days=30')).body.data.current.since))],
      )
      const text = new Intl.NumberFormat(options.locale, { style: 'currency', currency: 'EUR' }).format(
        Number(revenue[0]!.minor) / 100,
      )
      await page
        .locator('.figure', { hasText: say('Revenue') })
        .getByText(text)
        .waitFor()
      const chart = page.getByRole('slider', { name: say('Revenue') })
      await keys.to(chart)
      const last = await chart.getAttribute('aria-valuetext')
      await keys.press('ArrowLeft')
      assert.notEqual(await chart.getAttribute('aria-valuetext'), last)
      await end('12-revenue')
    })
  })
}

/** Types a date and time part by part. The order is that of the browser's own language, which is English. */
async function date(keys: Keyboard, locator: Locator, at: Date): Promise<void> {
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = at.getUTCHours()
  await keys.to(locator)
  await keys.write(`${two(at.getUTCMonth() + 1)}${two(at.getUTCDate())}${at.getUTCFullYear()}`)
  await keys.press('ArrowRight')
  await keys.write(`${two(hours % 12 || 12)}${two(at.getUTCMinutes())}${hours < 12 ? 'A' : 'P'}`)
}
