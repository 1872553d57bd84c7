// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expireSessions } from '../../server/src/features/checkout/index.ts'
import { begunSession, checkoutClient, readSession, stockOf, waitsForTransfer } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { assertFitsWithoutScript, openPage } from '../support/pages/browser.ts'
import type { InstallationClient } from '../support/world.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let shop: Shop
let client: InstallationClient
let pagesUrl: string
before(async () => {
  shop = await startShop({ environment: { BANK_TRANSFER_CONFIRM_MINUTES: '90' } })
  client = await checkoutClient(shop)
  pagesUrl = await shop.openPages()
})

/** A checkout that waits for a bank transfer, and the link in its mail. */
async function waiting() {
  const session = await begunSession(shop, client, { BOWL: 1 })
  const chargeId = await waitsForTransfer(shop, session)
  await shop.work()
  const reference = chargeId.slice(-10).toUpperCase()
  const mail = (await shop.mails()).find(({ text }) => text.includes(reference)) ?? assert.fail('no mail')
  const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, pagesUrl)
  return { session, mail, link: local(mail.link), page: local(session.url) }
}
const heldFor = async (session: { readonly id: string }) =>
  Date.parse((await readSession(client, session.id)).expiresAt) - shop.clock.now().getTime()
const expire = () => expireSessions(shop.database, { now: shop.clock.now(), ids: shop.ids })

describe('a shopper who pays by bank transfer', () => {
  test('confirms the address with the link in the mail, on pages without script, so that the items are held for days', async () => {
    const { session, mail, link, page: checkoutPage } = await waiting()
    assert.equal(await heldFor(session), 90 * MINUTE_MS)
    assert.match(mail.text, /Confirm your email address within 90 minutes/)
    const page = await openPage()
    await page.goto(checkoutPage)
    assert.match((await page.textContent('.note')) ?? '', /We have sent a link to ada@example\.com.*another 90 minutes/)
    await page.goto(link.replace('locale=en', 'locale=de'))
    assert.equal(await page.textContent('h1'), 'E-Mail-Adresse bestätigen')
    await page.goto(link)
    assert.equal(await heldFor(session), 90 * MINUTE_MS, 'opening the link changes nothing')
    await assertFitsWithoutScript(page)
    await page.click('button:has-text("Confirm and reserve")')
    assert.equal(await page.textContent('h1'), 'Your items are reserved')
    await assertFitsWithoutScript(page)
    assert.equal(await heldFor(session), 3 * DAY_MS)

    shop.clock.advance(DAY_MS)
    assert.equal(await expire(), 0)
    await page.goto(link)
    assert.equal(await page.textContent('h1'), 'Your items are reserved')
    assert.equal(await heldFor(session), 2 * DAY_MS, 'a second visit does not extend it')
    await page.goto(checkoutPage)
    assert.match((await page.textContent('main')) ?? '', /Reserved until/)
  })

  test('and does not confirm holds stock only for the short time, and the link ends with it', async () => {
    const before = await stockOf(shop, 'BOWL')
    const { session, link } = await waiting()
    shop.clock.advance(91 * MINUTE_MS)
    assert.equal(await expire(), 1)
    await shop.work()
    assert.deepEqual(await stockOf(shop, 'BOWL'), before)
    assert.equal((await readSession(client, session.id)).status, 'expired')
    const answer = await fetch(link)
    assert.equal(answer.status, 404)
    assert.match(await answer.text(), /This link is no longer valid/)
  })

  test('can confirm only with their own link: that of another checkout, or a changed one, has no effect', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const [mine, theirs] = [new URL(one.link), new URL(other.link)]
    mine.searchParams.set('token', theirs.searchParams.get('token') ?? '')
    assert.equal((await fetch(mine)).status, 404)
    assert.equal((await fetch(one.page.replace(/\/[^/]+$/, '/') + mine.searchParams.get('token'))).status, 404)
    assert.equal(await heldFor(one.session), 90 * MINUTE_MS)
  })
})
