import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startAccounts } from '../support/commerce/accounts.ts'
import { assertAccessible, assertFits, openPage } from '../support/pages/browser.ts'
import { siteOf } from '../support/pages/site.ts'

const text = '## Who sells\n\n- **Stores**, each for itself\n- *no one* else\n\nSee [the imprint](/legal?type=imprint).'

let accounts: Awaited<ReturnType<typeof startAccounts>>
let world: Awaited<ReturnType<typeof startAccounts>>['world']
let site: ReturnType<typeof siteOf>
let origin: Awaited<ReturnType<Awaited<ReturnType<typeof startAccounts>>['world']['openPages']>>
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  site = siteOf(world)
  origin = await world.openPages()
  await site.publish({ version: '1', content: { format: 'markdown', text } })
  await site.publish({
    version: '1',
    locale: 'de',
    title: 'Nutzungsbedingungen',
    content: { format: 'markdown', text },
  })
  await site.publish({
    type: 'privacy_policy',
    version: '7',
    title: 'Privacy',
    content: { format: 'plain', text: 'a < b' },
  })
})

describe('a legal document page', () => {
  test('shows the current text and version in the reader’s language, on a phone in dark mode', async () => {
    const page = await openPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
    await page.goto(`${origin}/legal?type=terms_of_use&locale=de`)
    assert.equal(await page.textContent('h1'), 'Nutzungsbedingungen')
    assert.match((await page.textContent('.lead'))!, /^Fassung 1, gültig seit /)
    assert.deepEqual(await page.locator('article li').allTextContents(), ['Stores, each for itself', 'no one else'])
    await assertAccessible(page)
    await assertFits(page)
  })

  test('notes if the text is in another language', async () => {
    const page = await openPage()
    await page.goto(`${origin}/legal?type=privacy_policy&locale=de`)
    assert.equal(await page.textContent('.note'), 'Dieses Dokument ist nicht auf Deutsch verfügbar.')
    assert.equal(await page.getAttribute('article', 'lang'), 'en')
    assert.match((await page.textContent('article'))!, /a < b/)
    await assertAccessible(page)
  })

  test('is in the language of the link to it if the reader’s language is missing', async () => {
    await site.settings({ name: 'Marché', locales: ['fr', 'de'] })
    for (const locale of ['en', 'fr']) {
      await site.publish({ type: 'cookie_policy', version: '1', locale, title: `Cookies (${locale})` })
    }
    const page = await openPage()
    await page.goto(`${origin}/legal?type=terms_of_use&locale=de`)
    await page.click('footer a:has-text("Cookies")')
    assert.equal(await page.textContent('h1'), 'Cookies (fr)')
    assert.equal(await page.textContent('footer a:has-text("Cookies")'), 'Cookies (fr)')
  })

  test('404 for an unpublished document', async () => {
    for (const query of ['', '?type=imprint', '?type=manifesto', '?document=leg_01k5b7m2q8e9rtv3w4x5y6z7a8']) {
      const answer = await fetch(`${origin}/legal${query}`)
      assert([400, 404].includes(answer.status), query)
    }
  })
})

test('a registration without anything names all that is missing, the terms too', async () => {
  const page = await openPage()
  await page.goto(`${origin}/account/register?locale=en`)
  await page.click('main form button')
  assert.deepEqual(await page.locator('.summary a').allTextContents(), [
    'Enter an email address such as ada@example.com',
    'Enter a password of 8 to 128 characters',
    'Please accept the terms to continue',
  ])
})

describe('a registering customer', () => {
  test('accepts the current documents, each linked in its version', async () => {
    const page = await openPage()
    await page.goto(`${origin}/account/register`)
    await page.fill('#email', 'reader@example.com')
    await page.fill('#password', 'four words of my own')
    await page.click('button')
    assert.equal(await page.textContent('#accepted-error'), 'Please accept the terms to continue')
    await assertAccessible(page)

    const [opened] = await Promise.all([page.context().waitForEvent('page'), page.click('label a >> nth=1')])
    assert.equal(await opened.textContent('h1'), 'Privacy')
    await page.fill('#password', 'four words of my own')
    await page.check('#accepted')
    await page.click('button')
    assert.equal(await page.textContent('h1'), 'Check your inbox')
    assert.match(JSON.stringify(await accounts.everythingKept()), /privacy_policy/)
  })

  test('must accept a version that took effect after the form was rendered', async () => {
    const page = await openPage()
    await page.goto(`${origin}/account/register`)
    await page.fill('#email', 'slow@example.com')
    await page.fill('#password', 'four words of my own')
    await page.check('#accepted')
    world.clock.advance(1000)
    await site.publish({ version: '2', title: 'Newer terms' })
    await page.click('button')

    assert.equal(await page.textContent('label a >> nth=0'), 'Newer terms')
    assert.equal(await page.isChecked('#accepted'), false)
  })
})
