// test: long
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { assertAccessible, NARROW, WIDE } from '../support/pages/browser.ts'
import { assertSound, FIRST, heading, type PageEntry, pages, setUp, type Watched } from '../support/pages/console.ts'
import { startWorld } from '../support/world.ts'

const SCRIPT_BYTES_MAX = 200 * 1024

/** Pages that a new marketplace can show. */
const hasNoParameter = ({ path }: PageEntry) => !path.includes(':')

describe('the console of a new marketplace', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })

  test('is set up with the printed link; the operator signs out, and in again with email and password', async () => {
    const { page, open } = console
    assert.equal(await heading(page), 'Today')
    await page.click('.account summary')
    await assertAccessible(page)
    await page.click('text=Sign out')
    await page.waitForSelector('text=Sign in')
    assert.equal(await heading(page), 'Sign in')
    await assertAccessible(page)
    await page.fill('[name=email]', FIRST.email)
    await page.fill('[name=password]', 'not the password')
    await page.click('button[type=submit]')
    await page.waitForSelector('.notice.bad')
    await assertAccessible(page)
    await page.fill('[name=password]', FIRST.password)
    await page.click('button[type=submit]')
    await page.waitForSelector('aside nav')
    await console.errors()
    await open('/')
    assert.equal(await heading(page), 'Today')
    assert.equal(new URL(page.url()).hash, '', 'the setup token does not stay in the URL')
  })

  for (const { path, title } of pages.filter(hasNoParameter)) {
    test(`shows ${title}, ${path}, in every window`, () => assertSound(console, path))
  }

  test('offers no erasure of a person whose data it could not look up', async () => {
    const { page, open, errors } = console
    const lookUp = async (person: string) => {
      await page.getByLabel('Email or customer ID').fill(person)
      await page.getByRole('button', { name: 'Look up' }).click()
    }
    const found = [{ place: 'orders', rows: 1, effect: 'erased' }]
    await open('/privacy-requests')
    await page.route('**/people/erasure-preview', (route) => route.fulfill({ json: { data: { found, open: [] } } }))
    await lookUp('anna@example.com')
    await page.getByRole('button', { name: 'Erase' }).waitFor()
    await page.unroute('**/people/erasure-preview')
    await page.route('**/people/erasure-preview', (route) => route.abort())
    await lookUp('ben@example.com')
    await page.locator('.notice.bad').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0)
    await page.unroute('**/people/erasure-preview')
    await errors()
  })

  test('formats dates and numbers if the browser reports a locale that is no language tag', async () => {
    const page = await console.page.context().newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => void errors.push(String(error)))
    await page.addInitScript(`for (const [name, value] of [['language', 'en-US@posix'], ['languages', ['en-US@posix']]])
      Object.defineProperty(navigator, name, { get: () => value })`)
    await page.goto(`${console.origin}/operators`)
    await page.waitForSelector('main time')
    assert.deepEqual([errors, await heading(page)], [[], 'Operators'])
    assert.ok((await page.locator('main time').count()) > 0, 'it shows dates')
    await page.close()
  })

  test('is in German once that is selected, including errors, and after a reload', async () => {
    const { page, open, rests, errors } = console
    const speaks = async (language: string) => {
      await page.waitForSelector(`html[lang=${language}] aside nav`)
      await rests()
      return [await heading(page), await page.textContent('aside nav [aria-current]')]
    }
    await open('/stores')
    await page.click('.account summary')
    await page.selectOption('.account select', 'de')
    assert.deepEqual(await speaks('de'), ['Shops', 'Shops'])
    await page.getByRole('button', { name: 'Shop erstellen' }).first().press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Erstellen' }).press('Enter')
    await page.getByRole('alert').waitFor()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /URL-Name: Erforderlich\..*Name: Erforderlich\./)
    await assertAccessible(page)
    await page.reload()
    assert.deepEqual(await speaks('de'), ['Shops', 'Shops'])
    await open('/readiness')
    assert.match((await page.textContent('main table')) ?? '', /PUBLIC_URL über https/)
    await open('/stores')
    await page.click('.account summary')
    await page.selectOption('.account select', 'en')
    assert.deepEqual(await speaks('en'), ['Stores', 'Stores'])
    assert.ok((await errors()).every((each) => /400/.test(each)))
  })

  test('shows an error page for an unknown path', async () => {
    await console.open('/nowhere/at/all')
    assert.equal(await heading(console.page), 'Page not found')
    await assertAccessible(console.page)
  })
})

const IS_CURRENT_IN_VIEW = `(() => {
  const { top, bottom } = document.querySelector('aside [aria-current]').getBoundingClientRect()
  return top >= 0 && bottom <= innerHeight
})()`

describe('with the keyboard only, the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  const focused = () =>
    console.page.evaluate(
      'document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim()',
    )

  test('has a skip link to the content, which takes the focus on every navigation', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await heading(page), 'Today')
  })

  for (const path of ['/orders', '/webhooks']) {
    test(`starts at the skip link on ${path}, with the current menu entry in view in a low window`, async () => {
      const { page, open } = console
      await page.setViewportSize({ ...WIDE, height: 320 })
      await open(path)
      assert(await page.evaluate(IS_CURRENT_IN_VIEW))
      await page.keyboard.press('Tab')
      assert.equal(await focused(), 'Skip to content')
      await page.setViewportSize(WIDE)
    })
  }

  test('follows a link of the menu, and marks it as the current page', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('aside nav a:has-text("Orders")')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/orders?*')
    await page.getByRole('heading', { name: 'Orders', level: 1, exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await page.textContent('aside nav [aria-current=page]'), 'Orders')
  })

  test('opens its menu in a narrow window, and closes it after a choice', async () => {
    const { page, open } = console
    await page.setViewportSize(NARROW)
    await open('/')
    await page.focus('header .menu summary')
    await page.keyboard.press('Enter')
    await assertAccessible(page)
    await page.focus('header nav a:has-text("Products")')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/products')
    await page.waitForSelector('header .menu:not([open])')
    await page.setViewportSize(WIDE)
  })

  test('opens any page with Ctrl K, a few letters and Enter', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('mailb')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/mailbox')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.deepEqual(await console.errors(), [])
  })

  test('switches the whole console to Test, with the environment in the URL, kept after a reload, and shown as a band', async () => {
    const { page, open, rests } = console
    await open('/orders')
    assert.equal(await page.locator('.band').count(), 0, 'a new marketplace opens in Live')
    await page.focus('.switch [value=test]')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.band')
    assert.equal(new URL(page.url()).searchParams.get('environment'), 'test')
    await rests()
    await assertAccessible(page)
    await page.focus('aside nav a:has-text("Payments")')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/payments?environment=test')
    await open('/customers')
    assert.equal(await page.locator('.band').count(), 1, 'it is remembered')
    await open('/orders?environment=live')
    assert.equal(await page.locator('.band').count(), 0, 'a link opens the environment that it was copied from')
    await rests()
  })

  test('shows the pages of a section as tabs', async () => {
    const { page, open } = console
    await open('/orders')
    await page.getByRole('navigation', { name: 'Orders' }).getByRole('link', { name: 'Cancellations' }).press('Enter')
    await page.getByRole('heading', { name: 'Cancellations', level: 1 }).waitFor()
    assert.equal(await page.textContent('aside nav [aria-current]'), 'Orders')
  })

  test('asks before changes are lost, and keeps them if the answer is no', async () => {
    const { page, open, errors } = console
    await open('/orders')
    await page.focus('aside nav a:has-text("Site")')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/site')
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await page.getByText('Not saved yet').waitFor()
    await page.focus('aside nav a:has-text("Orders")')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Keep editing' }).press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Another name')
    await page.goBack()
    await page.getByRole('button', { name: 'Leave without saving' }).press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
    assert.deepEqual(await errors(), [])
  })

  test('names the fields of an error as in the form, and links to them', async () => {
    const { page, open, errors } = console
    await open('/stores')
    await page.getByRole('button', { name: 'Create store' }).first().press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).press('Enter')
    await page.getByRole('alert').waitFor()
    assert.match((await page.getByRole('alert').textContent()) ?? '', /Slug: Required\..*Name: Required\./)
    await page.getByRole('alert').getByRole('link', { name: 'Name' }).press('Enter')
    assert.equal(await page.evaluate('document.activeElement?.name'), 'names.en')
    await page.keyboard.press('Escape')
    await errors()
  })

  test('restores the focus when a dialog is closed by its button', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header .finder')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Search orders/)
  })

  test('selects among the pages found with the arrow keys', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('ArrowDown')
    const chosen = await page.textContent('[role=option][aria-selected=true]')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.textContent('[role=option][aria-selected=true]'), chosen)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
  })

  test('closes a dialog by Escape, and restores the focus to the button that opened it', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header .finder')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    assert.equal(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)'), true)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Search orders/)
  })

  test('closes the dialog for a new installation by Escape, and nothing is created', async () => {
    const { page, open } = console
    await open('/installations')
    const opener = page.locator('main .actions button, main .empty button').first()
    await opener.focus()
    const label = await focused()
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.equal(await focused(), label)
    assert.deepEqual(await console.errors(), [])
  })
})

describe('the first load of the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  after(async () => console.page.context().close())

  test('is less than 200 KB of compressed script', async () => {
    const { page, open } = console
    const scripts: Response[] = []
    const note = (response: Response) => void (response.request().resourceType() === 'script' && scripts.push(response))
    page.on('response', note)
    await open('/')
    // Later requests are not part of the first load, and may not finish before the browser is closed.
    page.off('response', note)
    const sizes = await Promise.all(scripts.map(async (script) => gzipSync(await script.body()).length))
    const bytes = sizes.reduce((sum, each) => sum + each, 0)
    assert(scripts.length > 0, 'there is script')
    assert(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
  })
})
