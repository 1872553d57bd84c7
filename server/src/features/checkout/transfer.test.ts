import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  accessOf,
  begunSession,
  checkoutClient,
  pressPay,
  readSession,
  type Session,
  waitsForTransfer,
} from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../test/support/operator.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { nameAccount, transferAccount } from '../payments/index.ts'
import { findPageSession, selectShipping } from './page-session.ts'

const ACCOUNT = 'Linen & Loom\nIBAN DE02 1203 0000 0000 2020 51'
const DAY_MS = 86_400_000

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({
    environment: { PAYMENT_INSTRUCTIONS: ACCOUNT, BANK_TRANSFER_CURRENCIES: 'EUR', BANK_TRANSFER_STOCK_PERCENT: '50' },
  })
  client = await checkoutClient(shop)
})

/** Chooses an offered option, so that the page shows the payment. */
async function chooseShipping(session: Session): Promise<void> {
  const [deps, access] = [shop.app.checkoutPage, accessOf(session)]
  const context = { ids: shop.ids, now: shop.clock.now() }
  const page = await findPageSession(deps, shop.database.reader, access, context.now)
  const [option] = page?.shippingOptions ?? []
  await shop.database.transaction((tx) => selectShipping(deps, tx, access, option?.id ?? '', context))
}

const NOT_OFFERED = ({
  code,
  facts,
}: {
  code: string
  facts: { faults: readonly { field: string; code: string }[] }
}) => code === 'validation_failed' && facts.faults[0]?.field === 'provider' && facts.faults[0].code === 'not_offered'

describe('a bank transfer', () => {
  test('holds stock for three days, and mails amount, reference, account and deadline', async () => {
    const session = await begunSession(shop, client, { BOWL: 1 })
    const begunAt = shop.clock.now().getTime()
    const chargeId = await waitsForTransfer(shop, session)
    const { expiresAt } = await readSession(client, session.id)
    assert.equal(Date.parse(expiresAt) - begunAt, 3 * DAY_MS)
    await shop.work()
    const mail = (await shop.mails()).find(({ kind }) => kind === 'checkout.transfer') ?? assert.fail('no mail')
    assert.equal(mail.recipient, 'ada@example.com')
    for (const part of [ACCOUNT, '€26.90', chargeId.slice(-10).toUpperCase(), 'Reserved until']) {
      assert.ok(mail.text.includes(part), `${part} in ${mail.text}`)
    }
    const [{ body_html }] = (await shop.query('select body_html from mails where kind = $1', [mail.kind])) as [
      { body_html: string },
    ]
    assert.match(body_html, /<img src="data:image\/png;base64,[A-Za-z0-9+/=]+" alt="QR code: [^"]+"/)
  })

  test('is requested with the texts of the operator, always including amount, reference and account', async () => {
    const operator = await operatorClient(shop)
    const words = {
      subject: 'Please pay {{transfer.amount}}',
      heading: 'Almost yours',
      introduction: 'Write {{transfer.reference}}, until {{transfer.until}}.',
      closing: 'See you at {{site.name}}!',
    }
    const path = '/mail-templates/checkout.transfer/en'
    await operator.change('PUT', path, { expectedVersion: 0, words })
    const chargeId = await waitsForTransfer(shop, await begunSession(shop, client, { BOWL: 1 }))
    await shop.work()
    const reference = chargeId.slice(-10).toUpperCase()
    const mail = (await shop.mails()).find(({ text }) => text.includes(reference)) ?? assert.fail('no mail')
    assert.equal(mail.subject, '[Test] Please pay €26.90')
    assert.ok(mail.text.includes(`Write ${reference}, until`) && mail.text.includes(ACCOUNT), mail.text)
    await operator.change('PUT', path, { expectedVersion: 1 })
  })

  test('holds half of the stock at most, together with the other open transfers', async () => {
    await shop.setStock('VASE', 7)
    const first = await begunSession(shop, client, { VASE: 3 })
    const second = await begunSession(shop, client, { VASE: 1 })
    await waitsForTransfer(shop, first)
    await assert.rejects(pressPay(shop, second), NOT_OFFERED)
    assert.equal((await readSession(client, second.id)).status, 'open')
    const pages = await shop.openPages()
    await chooseShipping(second)
    const isOffered = async () => {
      const page = await fetch(second.url.replace(/^https?:\/\/[^/]+/, pages))
      assert.equal(page.status, 200)
      return (await page.text()).includes('value="manual"')
    }
    assert.equal(await isOffered(), false, 'it is not offered, so that it is not refused after the choice')

    await shop.setStock('VASE', 8)
    assert.equal(await isOffered(), true)
    await waitsForTransfer(shop, { ...second, version: (await readSession(client, second.id)).version })
  })

  test('is refused to one of two concurrent checkouts that together exceed the share', async () => {
    await shop.setStock('CUP', 10)
    const sessions = [await begunSession(shop, client, { CUP: 4 }), await begunSession(shop, client, { CUP: 4 })]
    const ended = await Promise.allSettled(sessions.map((session) => pressPay(shop, session)))
    assert.deepEqual(ended.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('is offered only where a bank account is set and in the configured currencies, in test as in live; else it is refused', async () => {
    const offered = async (world: Shop, currency: string) => {
      const storeIds = [world.storeId('ceramics')]
      const { transfer } = world.app.checkoutPage
      const at = world.clock.now()
      return Promise.all(
        (['test', 'live'] as const).map(async (environment) => {
          const paid = { environment, currency, storeIds, at }
          return (await transferAccount(world.database.reader, paid, transfer)) !== null
        }),
      )
    }
    assert.deepEqual(await offered(shop, 'EUR'), [true, true])
    assert.deepEqual(await offered(shop, 'USD'), [false, false])
    assert.deepEqual(await offered(await startShop(), 'EUR'), [true, false])
    const none = await startShop({ environment: { TEST_PAYMENT_INSTRUCTIONS: '' } })
    assert.deepEqual(await offered(none, 'EUR'), [false, false])
    const session = await begunSession(none, await checkoutClient(none), { BOWL: 1 })
    await assert.rejects(pressPay(none, session), NOT_OFFERED)
  })

  describe('goes to the account that the operator has set', () => {
    const details = { iban: 'DE02120300000000202051', bic: null, details: null }
    const name = (storeSlug: string | null, holder: string | null) =>
      shop.database.transaction(async (tx) => {
        const storeId = storeSlug === null ? null : shop.storeId(storeSlug)
        const scope = { environment: 'test', storeId, currency: 'EUR' } as const
        nameAccount(tx, scope, holder === null ? null : { ...details, holder }, shop.clock.now())
      })
    const account = (...slugs: readonly string[]) => {
      const storeIds = slugs.map((slug) => shop.storeId(slug))
      const paid = { environment: 'test', currency: 'EUR', storeIds, at: shop.clock.now() } as const
      return transferAccount(shop.database.reader, paid, shop.app.checkoutPage.transfer)
    }

    test('for the store, else for the marketplace, else in the configuration', async () => {
      assert.equal(await account('books'), ACCOUNT)
      await name(null, 'Marketplace')
      await name('ceramics', 'Ceramics')
      assert.match((await account('ceramics')) ?? '', /^Ceramics\nIBAN DE02 1203/)
      assert.match((await account('books')) ?? '', /^Marketplace\n/)
      await name('ceramics', null)
      assert.match((await account('ceramics')) ?? '', /^Marketplace\n/)
      await name(null, null)
      assert.equal(await account('ceramics'), ACCOUNT)
    })

    test('and is not offered for a cart of stores with different accounts', async () => {
      assert.equal(await account('ceramics', 'books'), ACCOUNT)
      await name('ceramics', 'Ceramics')
      assert.equal(await account('ceramics', 'books'), null)
      await name('ceramics', null)
    })

    test('and a shopper keeps the account of their mail after another was named', async () => {
      await name('ceramics', 'Before')
      const session = await begunSession(shop, client, { BOWL: 1 })
      await waitsForTransfer(shop, session)
      shop.clock.advance(1000)
      await name('ceramics', 'After')
      const page = await fetch(session.url.replace(/^https?:\/\/[^/]+/, await shop.openPages()))
      const text = await page.text()
      assert.ok(text.includes('Before') && !text.includes('After'), text)
      await name('ceramics', null)
    })
  })
})
