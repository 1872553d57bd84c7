// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type TestProvider, testProvider } from '../support/network/identity-provider.ts'
import { codeOfApp } from '../support/operator.ts'
import { assertFitsEveryWindow, openPage } from '../support/pages/browser.ts'
import { FIRST, heading, setUp, type Watched } from '../support/pages/console.ts'
import { freePort } from '../support/processes/free-port.ts'
import { startWorld, type World } from '../support/world.ts'

const INVITED = { email: 'sam@operator.example', password: 'the pass phrase of sam' }

let world: World
let console: Watched
/** The origin that passkeys are created for. */
let address: string
let provider: TestProvider
before(async () => {
  const operatorPort = await freePort()
  address = `http://localhost:${operatorPort}`
  provider = await testProvider(`${address}/sign-in/return`)
  world = await startWorld({ operatorPort, environment: provider.environment })
  console = await setUp(world)
})

/** Opens a window, and waits until it has signed in. */
async function inWindow(page: Page, open: () => Promise<void>): Promise<void> {
  const opened = page.waitForEvent('popup')
  await open()
  const popup = await opened
  if (!popup.isClosed()) await popup.waitForEvent('close')
}

describe('operators in the console', () => {
  test('are invited with a role, choose a password with the link in the email, and see the pages of their role', async () => {
    const { page, open } = console
    await open('/operators')
    await page.click('text=Invite operator')
    await page.fill('[name=email]', INVITED.email)
    await page.selectOption('[name=role]', 'catalog')
    await assertFitsEveryWindow(page)
    // Ten minutes after sign-in, the console asks for a fresh proof, and then repeats the refused request.
    world.clock.advance(600_000)
    await page.click('text=Send invitation')
    const proof = page.locator('dialog', { hasText: 'Confirm your identity' })
    await proof.locator('[name=password]').fill(FIRST.password)
    await assertFitsEveryWindow(page)
    await proof.locator('text=Continue').click()
    await page.waitForSelector(`text=The invitation to ${INVITED.email}`)
    const [refused, logged, ...others] = await console.errors()
    assert.match(`${refused} ${logged}`, /^401 POST .*status of 401/)
    assert.deepEqual(others, [])
    await page.waitForSelector('text=Invited')
    await assertFitsEveryWindow(page)

    const { link } = (await world.mails()).find(({ recipient }) => recipient === INVITED.email)!
    const theirs = await openPage()
    await theirs.goto(`${console.origin}${new URL(link).pathname}${new URL(link).hash}`)
    await theirs.waitForSelector('h1')
    assert.equal(await heading(theirs), 'Choose a password')
    await assertFitsEveryWindow(theirs)
    await theirs.fill('[name=password]', 'password')
    await theirs.click('button[type=submit]')
    await theirs.waitForSelector('[aria-invalid=true]')
    await theirs.fill('[name=password]', INVITED.password)
    await theirs.click('button[type=submit]')
    await theirs.waitForSelector('aside nav')
    assert.equal(new URL(theirs.url()).hash, '', 'the token does not stay in the URL')
    assert.deepEqual(await theirs.locator('aside nav li span:not(.badge, .hidden)').allInnerTexts(), [
      'Today',
      'Returns',
      'Products',
      'Promotions',
      'Stores',
      'Site',
      'Settings',
    ])
    await theirs.goto(`${console.origin}/operators`)
    await theirs.waitForSelector('text=Your role does not allow this.')
    await theirs.goto(`${console.origin}/password`)
    await theirs.waitForSelector('text=(this one)')
    await assertFitsEveryWindow(theirs)
    await theirs.context().close()
  })

  test('set up a second factor, keep their recovery codes, and sign in with a code', async () => {
    const { page, open } = console
    await open('/password')
    await page.click('text=Set up')
    await page.locator('[name=password]').fill(FIRST.password)
    await page.click('text=Continue')
    const key = (await page.innerText('main form code')).replaceAll(' ', '')
    await assertFitsEveryWindow(page)
    await page.fill('[name=code]', codeOfApp(key, world.clock.now()))
    await page.click('text=Turn on')
    await page.waitForSelector('text=Each code works once')
    assert.equal(await page.locator('main li code').count(), 10)
    await assertFitsEveryWindow(page)
    await page.click('text=I have stored them')
    await page.waitForSelector('text=Recovery codes left: 10.')

    const elsewhere = await openPage()
    await elsewhere.goto(console.origin)
    await elsewhere.fill('[name=email]', FIRST.email)
    await elsewhere.fill('[name=password]', FIRST.password)
    await elsewhere.click('button[type=submit]')
    await elsewhere.waitForSelector('[name=code]')
    assert.equal(await elsewhere.evaluate('document.activeElement.name'), 'code')
    await assertFitsEveryWindow(elsewhere)
    world.clock.advance(30_000)
    await elsewhere.keyboard.type(codeOfApp(key, world.clock.now()))
    await elsewhere.keyboard.press('Enter')
    await elsewhere.waitForSelector('aside nav')
    await elsewhere.context().close()
  })

  test('ask for a link if they forgot the password, with the same answer for any address', async () => {
    const page = await openPage()
    await page.goto(console.origin)
    await page.click('text=Forgot your password?')
    await page.fill('[name=email]', 'unknown@operator.example')
    await page.click('text=Send link')
    await page.waitForSelector('text=If an operator has the address unknown@operator.example')
    await assertFitsEveryWindow(page)
    await page.click('text=Back to sign in')
    assert.equal(await heading(page), 'Sign in')
    await page.context().close()
  })

  test('get another role, are disabled after a confirmation, and are enabled again', async () => {
    const { page, open } = console
    await open('/operators')
    const row = page.locator('tr', { hasText: INVITED.email })
    await row.getByText('Change role').click()
    await page.selectOption('[name=role]', 'finance')
    await page.click('dialog >> text=Save')
    await row.getByText('Finance').waitFor()
    await row.getByText('Disable').click()
    await page.click('dialog >> button:has-text("Disable")')
    await row.getByText('Disabled').waitFor()
    await row.getByText('Enable').click()
    await row.getByText('Active').waitFor()
    assert.deepEqual(await console.errors(), [])
  })

  test('sign in with a passkey, use it as a fresh proof, and remove it', async () => {
    const { page } = console
    // Passkeys need a host name, and the current session belongs to another one.
    await page.goto(`${console.origin}/password`)
    await page.waitForSelector(`text=Passkeys work at ${address}`)
    const there = await openPage()
    const devices = await there.context().newCDPSession(there)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    await there.goto(address)
    await there.fill('[name=email]', INVITED.email)
    await there.fill('[name=password]', INVITED.password)
    await assertFitsEveryWindow(there)
    await there.click('button[type=submit]')
    await there.waitForSelector('aside nav')
    await there.goto(`${address}/password`)
    await there.click('text=Add passkey')
    await there.fill('dialog [name=name]', 'Laptop')
    await there.click('dialog >> text=Continue')
    const row = there.locator('tr', { hasText: 'Laptop' })
    await row.getByText('On one device').waitFor()
    await assertFitsEveryWindow(there)

    await there.context().clearCookies()
    await there.goto(address)
    await there.click('text=Sign in with a passkey')
    await there.waitForSelector('aside nav')

    world.clock.advance(600_000)
    await there.goto(`${address}/password`)
    await row.getByText('Remove').click()
    await there.click('dialog >> button:has-text("Remove")')
    await there.click('dialog >> text=Use a passkey')
    await row.waitFor({ state: 'detached' })
    await there.context().clearCookies()
    await there.goto(address)
    await there.click('text=Sign in with a passkey')
    await there.waitForSelector('text=The passkey was not accepted.')

    // The same operator signs in with the company account.
    provider.setAccount({ email: INVITED.email, subject: 'sam' })
    await there.click('text=Sign in with Company login')
    await there.waitForSelector('aside nav')
    assert.equal(new URL(there.url()).pathname, '/', 'nothing of the provider stays in the URL')

    // After the end of the session a window signs in, and the page keeps what was typed.
    await there.goto(`${address}/password`)
    await there.fill('[name=currentPassword]', INVITED.password)
    await there.fill('[name=newPassword]', 'another phrase of sam')
    await there.context().clearCookies()
    await there.getByRole('button', { name: 'Change password' }).click()
    const signIn = there.getByRole('dialog', { name: 'Sign in', exact: true })
    await inWindow(there, () => signIn.getByText('Sign in with Company login').click())
    await signIn.waitFor({ state: 'detached' })
    assert.equal(await there.inputValue('[name=newPassword]'), 'another phrase of sam')

    // A page that was opened by its link is shown after the sign-in.
    await there.context().clearCookies()
    await there.goto(`${address}/password`)
    await there.click('text=Sign in with Company login')
    await there.getByRole('heading', { name: 'Your account' }).waitFor()

    // A fresh proof continues the action, and the dialog keeps what was typed.
    world.clock.advance(600_000)
    await there.click('text=Add passkey')
    await there.fill('dialog [name=name]', 'Telephone')
    await there.click('dialog >> text=Continue')
    await inWindow(there, () => there.getByText('Sign in again with Company login').click())
    await there.locator('tr', { hasText: 'Telephone' }).waitFor()
    await there.context().close()

    await console.open('/operators')
    const account = page.locator('tr', { hasText: INVITED.email })
    await account.getByText('Sign-in').click()
    await assertFitsEveryWindow(page)
    await page.waitForSelector('text=Unlink company account')
    await page.click('text=Sign out everywhere')
    await account.getByText('Not signed in').waitFor()
  })
})
