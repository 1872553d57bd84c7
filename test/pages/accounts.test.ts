// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Accounts, startAccounts } from '../support/commerce/accounts.ts'
import { assertFitsWithoutScript, openPage } from '../support/pages/browser.ts'
import type { World } from '../support/world.ts'

const PASSWORD = 'four words of my own'

let accounts: Accounts
let world: World
let origin: string
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  origin = await world.openPages()
})

async function mailTo(recipient: string, kind: string): Promise<string> {
  await world.work()
  const mail = (await world.mails()).find((each) => each.recipient === recipient && each.kind === kind)
  assert(mail, `no ${kind} for ${recipient}`)
  return mail.link
}

async function heading(page: Page): Promise<string> {
  return (await page.textContent('h1')) ?? ''
}

/** The focused elements after pressing Tab, from the top. */
async function tabs(page: Page, times: number): Promise<string[]> {
  const seen: string[] = []
  for (let count = 0; count < times; count += 1) {
    await page.keyboard.press('Tab')
    seen.push(await page.evaluate('document.activeElement.id || document.activeElement.textContent.trim()'))
  }
  return seen
}

let count = 0

describe('in a browser', () => {
  test('a shopper registers, confirms the address and resets the password', async () => {
    const page = await openPage()
    count += 1
    const email = `person${count}@example.com`

    await page.goto(`${origin}/account/register`)
    await assertFitsWithoutScript(page)
    await page.fill('#email', 'no address')
    await page.fill('#password', 'password')
    await page.click('button')
    assert.match(await page.title(), /^Error: Create account · /)
    await assertFitsWithoutScript(page)
    assert.equal(await page.inputValue('#email'), 'no address')
    assert.equal(await page.inputValue('#password'), '')

    await page.fill('#email', email)
    await page.fill('#password', PASSWORD)
    await page.fill('#firstName', 'Ada')
    await page.check('#marketing')
    await page.click('button')
    assert.equal(await heading(page), 'Check your inbox')
    await assertFitsWithoutScript(page)

    await page.goto(await mailTo(email, 'accounts.confirm'))
    assert.equal(await page.textContent('.person'), email)
    await assertFitsWithoutScript(page)
    await page.fill('#password', 'not the one I chose')
    await page.click('button')
    assert.match((await page.textContent('#password-error')) ?? '', /not the password that you chose/)
    assert.equal(await accounts.signIn(email, PASSWORD), null)
    await assertFitsWithoutScript(page)
    await page.fill('#password', PASSWORD)
    await page.click('button')
    assert.equal(await heading(page), 'Your account is active')
    await assertFitsWithoutScript(page)
    assert.equal((await accounts.signIn(email, PASSWORD))?.first_name, 'Ada')

    await page.goto(`${origin}/account/reset`)
    await assertFitsWithoutScript(page)
    await page.fill('#email', email.toUpperCase())
    await page.click('button')
    assert.equal(await heading(page), 'Check your inbox')
    await assertFitsWithoutScript(page)

    const link = await mailTo(email, 'accounts.reset')
    await page.goto(link)
    await assertFitsWithoutScript(page)
    await page.fill('#newPassword', '12345678')
    await page.click('button')
    assert.match((await page.textContent('#newPassword-error')) ?? '', /too common/)
    await assertFitsWithoutScript(page)
    await page.fill('#newPassword', `${PASSWORD} and one`)
    await page.click('button')
    assert.equal(await heading(page), 'Your password was changed')
    await assertFitsWithoutScript(page)
    assert(await accounts.signIn(email, `${PASSWORD} and one`))

    await page.goto(link)
    assert.equal(await heading(page), 'This link is no longer valid')
    await assertFitsWithoutScript(page)
  })

  test('an unknown page is not found', async () => {
    const page = await openPage()
    await page.goto(`${origin}/nowhere?locale=de`)
    assert.equal(await heading(page), 'Seite nicht gefunden')
    await assertFitsWithoutScript(page)
  })
})

describe('the account pages', () => {
  test('link from an error to its field by keyboard', async () => {
    const page = await openPage()
    await page.goto(`${origin}/account/reset`)
    assert.deepEqual(await tabs(page, 3), ['Skip to content', 'email', 'Send link'])
    await page.keyboard.press('Enter')
    await page.waitForSelector('.summary')
    assert.deepEqual(await tabs(page, 2), ['Skip to content', 'Enter an email address such as ada@example.com'])
    await page.keyboard.press('Enter')
    assert.equal(new URL(page.url()).hash, '#email')
    await page.keyboard.type('ada@example.com')
    assert.equal(await page.inputValue('#email'), 'ada@example.com')
  })

  test('keep the requested language', async () => {
    const page = await openPage({ locale: 'en' })
    await page.goto(`${origin}/account/register`)
    await page.click('text=Deutsch')
    assert.equal(await heading(page), 'Konto erstellen')
    await page.fill('#email', 'deutsch@example.com')
    await page.fill('#password', PASSWORD)
    await page.click('button')
    assert.equal(await heading(page), 'Prüfe dein Postfach')
    assert.match(await mailTo('deutsch@example.com', 'accounts.confirm'), /locale=de$/)
  })

  test('do not reveal whether an address has an account', async () => {
    await accounts.customer('known@example.com')
    const page = await openPage()
    const shown: string[] = []
    for (const email of ['known@example.com', 'unknown@example.com']) {
      await page.goto(`${origin}/account/reset`)
      await page.fill('#email', email)
      await page.click('button')
      shown.push(`${page.url()} ${await page.innerText('main')}`)
    }
    assert.equal(shown[0], shown[1])
  })

  test('confirm nothing when a link is only opened', async () => {
    const page = await openPage()
    await page.goto(`${origin}/account/register`)
    await page.fill('#email', 'looked-at@example.com')
    await page.fill('#password', PASSWORD)
    await page.click('button')
    await fetch(await mailTo('looked-at@example.com', 'accounts.confirm'))
    assert.equal(await accounts.signIn('looked-at@example.com', PASSWORD), null)
  })

  test('run no injected script', async () => {
    const page = await openPage()
    await page.goto(`${origin}/account/register`)
    await page.fill('#email', '"><img src=x onerror="document.title=1">')
    await page.fill('#password', PASSWORD)
    await page.click('button')
    assert.match(await page.title(), /^Error: /)
    assert.equal(await page.locator('img').count(), 0)
  })
})
