import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../test/support/client.ts'
import {
  accessOf,
  begunSession,
  checkoutClient,
  pressPay,
  readSession,
} from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { statement } from '../../platform/postgres/statement.ts'

const chargesOf = statement('test.charges_of_subject', 'select id from payment_intents where subject_id = $1')

let shop: Shop
let client: Client
let pages: string
before(async () => {
  shop = await startShop({ simulator: true })
  client = await checkoutClient(shop)
  pages = await shop.openPages()
})

/** A session whose payment needs approval by the bank. */
async function askedByBank() {
  const session = await begunSession(shop, client, { MUG: 1 })
  shop.simulator!.misbehave({ fault: 'ask_shopper' })
  const { chargeId } = await pressPay(shop, session, 'simulator')
  assert(chargeId)
  const { nextActionUrl } = await shop.app.payments.advance(chargeId)
  assert(nextActionUrl)
  const answer = (word: 'approve' | 'decline') =>
    fetch(nextActionUrl, { method: 'POST', body: new URLSearchParams({ answer: word }), redirect: 'manual' })
  return { session, chargeId, answer }
}

const notify = (provider: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${pages}/payments/${provider}/notifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

const NO_KEY = 'A'.repeat(43)
const back = (payment: string, key: string) =>
  fetch(`${pages}/payments/return?payment=${payment}&key=${key}`, { redirect: 'manual' })

describe('the return page of a provider', () => {
  test('redirects to the checkout page with the order placed', async () => {
    const { session, chargeId, answer } = await askedByBank()
    shop.simulator!.behave({ copies: 0 })
    const sent = await answer('approve')
    const back = sent.headers.get('location')!
    assert.match(back, new RegExp(`^${pages}/payments/return\\?payment=${chargeId}&key=[\\w-]{43}$`))
    const led = await fetch(back, { redirect: 'manual' })
    assert.equal(led.status, 303)
    assert(led.headers.get('location')?.includes(accessOf(session).sessionId))
    const done = await readSession(client, session.id)
    assert.deepEqual([done.status, done.payment.status], ['completed', 'succeeded'])
    shop.simulator!.reset()
  })

  test('redirects to the reopened checkout if the shopper declined', async () => {
    const { session, chargeId, answer } = await askedByBank()
    shop.simulator!.behave({ copies: 0 })
    await fetch((await answer('decline')).headers.get('location')!, { redirect: 'manual' })
    const open = await readSession(client, session.id)
    assert.deepEqual([open.status, open.payment.status], ['open', 'failed'])
    assert.deepEqual(await shop.database.reader.rows(chargesOf, [session.id]), [{ id: chargeId }])
    shop.simulator!.reset()
  })

  test('404 for an unknown payment or an invalid id', async () => {
    assert.equal((await back(`pay_${'0'.repeat(26)}`, NO_KEY)).status, 404)
    assert.equal((await back('x', NO_KEY)).status, 400)
  })

  test('404 for the id of a payment without its key, and no lookup at the provider', async () => {
    const { session, chargeId } = await askedByBank()
    const asked = async () =>
      (await shop.query('select number from payment_attempts where intent_id = $1', [chargeId])).length
    const before = await asked()
    assert.equal((await back(chargeId, NO_KEY)).status, 404)
    assert.equal((await back(chargeId, accessOf(session).key)).status, 404)
    assert.equal(await asked(), before)
    shop.simulator!.reset()
  })
})

describe('the webhook of payment providers', () => {
  test('200 for a notification, after which a worker places the order', async () => {
    const { session, answer } = await askedByBank()
    await answer('approve')
    const deadline = performance.now() + 30_000
    let status = ''
    while (status !== 'completed' && performance.now() < deadline) {
      await shop.work()
      status = (await readSession(client, session.id)).status
    }
    assert.equal(status, 'completed')
  })

  test('400 for a forged notification', async () => {
    for (const body of ['{"id":"a","key":"b"}', '', '{']) {
      const answer = await notify('simulator', body, { 'simulator-signature': `t=1,v1=${'0'.repeat(64)}` })
      assert.deepEqual([answer.status, await answer.json()], [400, { status: 'forged' }])
    }
    assert.equal((await notify('manual', '{}')).status, 400)
  })

  test('404 for an unknown provider, 413 for an oversized body', async () => {
    assert.equal((await notify('unknown', '{}')).status, 404)
    assert.equal((await notify('simulator', 'x'.repeat(1024 * 1024 + 1))).status, 413)
  })
})
