import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { operationIds } from '@vitrine/contract'
import type { Page } from 'playwright-core'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { assertAccessible, assertFits, assertFitsEveryWindow, NARROW, openPage } from '../support/pages/browser.ts'
import { temporaryFolder } from '../support/processes/command.ts'

const repository = join(import.meta.dirname, '../..')
const SITE = join(repository, 'site/dist')
/** The script that a page loads before search or "Try it" is used. */
const SCRIPT_BYTES_MAX = 4 * 1024

function pagesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.html'))
}

/** Links of a page that lead to no file, or to no heading. */
function deadLinksOf(folder: string, path: string): string[] {
  const text = readFileSync(join(folder, path), 'utf8')
  const targets = [...text.matchAll(/<(?:a|link|script)\b[^>]* (?:href|src)="([^"]+)"/g)].map(([, target]) => target!)
  return targets.filter((target) => {
    if (/^(https?:|mailto:|data:)/.test(target)) return false
    const [file = '', anchor] = target.split('#')
    const found = file === '' ? path : posix.join(posix.dirname(path), file)
    const absolute = join(folder, found.endsWith('/') || found === '.' ? `${found}/index.html` : found)
    if (!existsSync(absolute)) return true
    return anchor !== undefined && anchor !== '' && !readFileSync(absolute, 'utf8').includes(` id="${anchor}"`)
  })
}

describe('the documentation as files', () => {
  test('has no link without a target, on any page', () => {
    const dead = pagesIn(SITE).flatMap((path) =>
      path === '404.html' ? [] : deadLinksOf(SITE, path).map((link) => `${path}: ${link}`),
    )
    assert.deepEqual(dead, [])
  })

  test('has no id twice on a page: a heading must not take the target of the skip link', () => {
    const twice = pagesIn(SITE).flatMap((path) => {
      const ids = [...readFileSync(join(SITE, path), 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
      return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}: ${id}`)
    })
    assert.deepEqual(twice, [])
  })

  test('has a page for each of the 59 operations, which llms.txt and the search know', () => {
    const [text, search] = ['llms.txt', 'search.json'].map((name) => readFileSync(join(SITE, name), 'utf8'))
    const full = readFileSync(join(SITE, 'llms-full.txt'), 'utf8')
    for (const id of operationIds) {
      assert.ok(existsSync(join(SITE, `reference/${id}.html`)), id)
      assert.ok(
        text!.includes(`reference/${id}.html`) &&
          search!.includes(`reference/${id}.html`) &&
          full.includes(`# ${id}\n`),
        id,
      )
    }
  })

  test('a page loads little script, and nothing from another host', () => {
    const page = readFileSync(join(SITE, 'reference/addPublicCartItem.html'), 'utf8')
    const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? []
    const bytes = gzipSync(readFileSync(join(SITE, dirname('reference/x'), script))).length
    assert.ok(bytes < SCRIPT_BYTES_MAX, `${bytes} bytes of script`)
    assert.doesNotMatch(page, /(src|href)="https?:|<script>|<style|style="|onclick=/)
  })

  test('built for a host has canonical links, a sitemap and a 404 page', async () => {
    const output = join(await temporaryFolder(), 'docs')
    const args = ['site/src/main.ts', '--url', 'https://docs.shop.example/vitrine/', '--output', output]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: repository, encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    const read = (name: string) => readFileSync(join(output, name), 'utf8')
    assert.match(read('sitemap.xml'), /<loc>https:\/\/docs\.shop\.example\/vitrine\/reference\/getStore\.html<\/loc>/)
    assert.match(read('index.html'), /<link rel="canonical" href="https:\/\/docs\.shop\.example\/vitrine\/" \/>/)
    assert.match(read('404.html'), /<base href="\/vitrine\/" \/>/)
    assert.deepEqual(deadLinksOf(output, 'reference/getStore.html'), [])
  })
})

describe('the documentation of the operator door', () => {
  let shop: Shop
  let origin: string
  before(async () => {
    shop = await startShop({ isReachable: true })
    // The browser uses the clock of the machine.
    shop.clock.advance(Date.now() - shop.clock.now().getTime())
    origin = await shop.openOperator()
  })

  /** Opens a page, and fails on errors of its script or its content security policy. */
  async function opened(path: string, options = {}): Promise<Page> {
    const page = await openPage(options)
    page.on('pageerror', (error) => assert.fail(error))
    page.on('console', (message) => assert.doesNotMatch(message.text(), /Content Security Policy/))
    await page.goto(`${origin}/docs/${path}`)
    return page
  }

  test('is readable without sign-in, with a content security policy that allows nothing inline', async () => {
    const answer = await fetch(`${origin}/docs`)
    assert.equal(answer.url, `${origin}/docs/`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.match(policy, /default-src 'none'; script-src 'self'/)
    assert.equal(answer.headers.get('content-encoding'), 'gzip')
    assert.match(await answer.text(), /Quickstart/)
    const missing = await fetch(`${origin}/docs/reference/no-such-page.html`)
    assert.equal(missing.status, 404)
    assert.match(await missing.text(), /Page not found/)
    assert.deepEqual(await (await fetch(`${origin}/docs/service.json`)).json(), { publicUrl: shop.publicUrl })
  })

  for (const path of ['', 'reference/createInstallationWebhook.html', 'reference/states.html']) {
    test(`shows /docs/${path} in every window`, async () => {
      const page = await opened(path)
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
      await assertFitsEveryWindow(page)
    })
  }

  test('finds a page by a misspelled word, with the keyboard only', async () => {
    const page = await opened('')
    await page.keyboard.press('/')
    await page.waitForSelector('.finder input:focus')
    await page.keyboard.type('idempotncy retries')
    await page.waitForSelector('.finder li')
    await assertAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(/guides\/retries\.html/)
    await page.keyboard.press('Control+k')
    await page.waitForSelector('.finder input:focus')
    await page.keyboard.type('addPublicCart')
    await page.waitForSelector('.finder li')
    await page.keyboard.press('Enter')
    await page.waitForURL(/reference\/addPublicCartItem\.html/)
  })

  test('says that its search could not be loaded, and tries again with the next letter', async () => {
    const page = await opened('')
    await page.route('**/search.json', (route) => route.abort())
    await page.keyboard.press('/')
    await page.waitForSelector('.finder input:focus')
    await page.keyboard.type('c')
    const status = page.locator('.finder').getByRole('status')
    await status.getByText('The search could not be loaded.').waitFor()
    await page.unroute('**/search.json')
    await page.keyboard.type('arts')
    await page.waitForSelector('.finder li')
    await status.getByText(/^\d+ found$/).waitFor()
  })

  test('says that a script could not be loaded, and sends no key without it', async () => {
    const page = await openPage()
    await page.route(/(search|try-it)[^/]*\.js$/, (route) => route.abort())
    await page.goto(`${origin}/docs/reference/createPublicCart.html`)
    await page.keyboard.press('/')
    await page.getByRole('button', { name: 'Reload to search' }).waitFor()
    await page.click('.try > summary')
    await page.getByText('This form could not be loaded. Reload the page.').waitFor()
    assert.ok(await page.locator('.try [type=submit]').isDisabled())
    await assertFitsEveryWindow(page)
  })

  test('opens its menu on a telephone without script', async () => {
    const page = await opened('', { viewport: NARROW, javaScriptEnabled: false })
    await page.click('text=Menu')
    await page.click('#menu >> text=All operations')
    assert.equal(await page.textContent('h1'), 'API reference')
    await assertFits(page)
  })

  test('tries a public read without a key', async () => {
    const page = await opened('reference/searchCatalogProducts.html')
    await page.click('.try > summary')
    await page.waitForSelector('form[data-ready]')
    assert.equal(await page.inputValue('[name=base]'), shop.publicUrl)
    await page.fill('[name="query.q"]', 'mug')
    await page.click('.try [type=submit]')
    const results = await page.waitForSelector('.results .code:nth-of-type(2)')
    assert.match((await results.textContent()) ?? '', /200\s+\{\s+"data": \[\s+\{/)
    await assertAccessible(page)
  })

  test('tries a write with a bound key, which stays in the tab, from an origin that its installation has registered', async () => {
    const { key, proof } = await shop.client({ origins: [origin] })
    const page = await opened('reference/createPublicCart.html')
    await page.click('.try > summary')
    await page.waitForSelector('form[data-ready]')
    assert.equal(await page.inputValue('[name=base]'), shop.publicUrl)
    await page.fill('[name=key]', key ?? '')
    await page.fill('[name=jwk]', JSON.stringify(proof?.privateKey.export({ format: 'jwk' })))
    await page.click('.try [type=submit]')
    const answers = page.locator('.results .code')
    await page.waitForSelector('.results .code:last-child')
    const texts = await answers.allTextContents()
    assert.match(texts.at(-1) ?? '', /200\s+\{\s+"data": \{\s+"id": "cart_/)
    assert.match(texts[0] ?? '', /idempotency-key: /)
    assert.ok(!texts.join('').includes(key ?? '?'), 'the key is not repeated')
    assert.equal(await page.evaluate('localStorage.length'), 0)
    await page.click('text=Forget the keys')
    assert.equal(await page.evaluate('sessionStorage.length'), 0)
  })

  test('explains what to do if the browser may not read the answer', async () => {
    const { key, proof } = await shop.client()
    const page = await opened('reference/clearPublicCart.html')
    await page.click('.try > summary')
    await page.waitForSelector('form[data-ready]')
    assert.equal(await page.inputValue('[name=base]'), shop.publicUrl)
    await page.fill('[name=key]', key ?? '')
    await page.fill('[name=jwk]', JSON.stringify(proof?.privateKey.export({ format: 'jwk' })))
    await page.fill('[name="params.cartId"]', 'cart_01k5b7m2q8e9rtv3w4x5y6z7a8')
    await page.click('.try [type=submit]')
    const problem = await page.waitForSelector('.problem')
    assert.match((await problem.textContent()) ?? '', new RegExp(`Register ${origin}, or use the curl command`))
  })
})
