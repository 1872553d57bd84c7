import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertAccessible } from '../support/browser.ts'
import {
  assertSound,
  FIRST,
  heading,
  NARROW,
  type PageEntry,
  pages,
  setUp,
  type Watched,
  WIDE,
} from '../support/console.ts'
import { startWorld } from '../support/world.ts'

const SCRIPT_BYTES_MAX = 200 * 1024

/** The marketplace, where nothing is sold yet. */
const hasNoParameter = ({ path }: PageEntry) => !path.includes(':')

describe('the console of a marketplace that is new', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })

  test('is entered by the printed link, left, and entered again by address and password', async () => {
    const { page, open } = console
    assert.equal(await heading(page), 'Dashboard')
    await page.click('aside >> text=Sign out')
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
    await console.complaints()
    await open('/')
    assert.equal(await heading(page), 'Dashboard')
    assert.equal(new URL(page.url()).hash, '', 'the token of the link does not stay in the address')
  })

  for (const { path, title } of pages.filter(hasNoParameter)) {
    test(`shows ${title}, ${path}, in every window`, () => assertSound(console, path))
  }

  test('says so where there is no such page', async () => {
    await console.open('/nowhere/at/all')
    assert.equal(await heading(console.page), 'There is no such page')
    await assertAccessible(console.page)
  })
})

describe('by keyboard alone, the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  const focused = () => console.page.evaluate('document.activeElement?.textContent?.trim()')

  test('is skipped to its page, which takes the focus wherever one goes', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'To the page')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await heading(page), 'Dashboard')
  })

  test('goes where a link of the menu leads, and says where it is', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('aside nav >> text=Orders')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/orders')
    await page.getByRole('heading', { name: 'Orders', level: 1, exact: true }).waitFor()
    assert.equal(await page.evaluate('document.activeElement?.id'), 'main')
    assert.equal(await page.textContent('aside nav [aria-current=page]'), 'Orders')
  })

  test('opens its menu in a narrow window, and closes it behind whoever has chosen', async () => {
    const { page, open } = console
    await page.setViewportSize(NARROW)
    await open('/')
    await page.focus('header summary')
    await page.keyboard.press('Enter')
    await page.focus('header nav >> text=Products')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/products')
    await page.waitForSelector('header details:not([open])')
    await page.setViewportSize(WIDE)
  })

  test('goes anywhere by Ctrl K, a few letters and Enter', async () => {
    const { page, open } = console
    await open('/')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.type('mailb')
    await assertAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/mailbox')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.deepEqual(await console.complaints(), [])
  })

  test('gives the focus back as well where a dialog is closed by its button', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header >> text=Go to …')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Go to …/)
  })

  test('chooses among the pages that are found by the arrows', async () => {
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

  test('closes a dialog by Escape, and gives the focus back to what opened it', async () => {
    const { page, open } = console
    await open('/')
    await page.focus('header >> text=Go to …')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    assert.equal(await page.evaluate('document.querySelector("dialog").contains(document.activeElement)'), true)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.match(String(await focused()), /^Go to …/)
  })

  test('closes the dialog that makes an installation by Escape, and nothing was made', async () => {
    const { page, open } = console
    await open('/installations')
    const opener = page.locator('main .actions button, main .empty button').first()
    await opener.focus()
    const words = await focused()
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open]')
    await assertAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.equal(await focused(), words)
    assert.deepEqual(await console.complaints(), [])
  })
})

describe('the first load of the console', () => {
  let console: Watched
  before(async () => {
    console = await setUp(await startWorld())
  })
  after(async () => console.page.context().close())

  test('is less than 200 KB of script, compressed, whoever comes new', async () => {
    const { page, open } = console
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      scripts.push(response.body().then((body) => gzipSync(body).length))
    })
    await open('/')
    const bytes = (await Promise.all(scripts)).reduce((sum, each) => sum + each, 0)
    assert(scripts.length > 0, 'there is script')
    assert(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
  })
})
