import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountsOf } from '../../../../test/support/commerce/accounts.ts'
import { readOrder } from '../../../../test/support/commerce/after-sales.ts'
import {
  BERLIN,
  checkout,
  checkoutClient,
  paid,
  quoted,
  readyCart,
} from '../../../../test/support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { storedAnswers } from '../../../../test/support/stored-answers.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { createAnswersPartition } from '../../platform/idempotency/answers.ts'
import type { ClaimedJob } from '../../platform/jobs/index.ts'
import { logger } from '../../platform/observe/logger.ts'
import { erasePerson, exportPerson, privacyJobs } from './erase.ts'
import { findPerson } from './person.ts'

/** The number of the order of a guest, completed by its status alone. All orders have the name and the phone number of the same address. */
async function orderOf(shop: Shop, client: InstallationClient, email: string): Promise<string> {
  const cart = await cartOf(shop, client, { MUG: 1 })
  const shipping = { ...BERLIN, phone: '+49301234567' }
  await client.put(`${CARTS}/${cart.id}/address`, { shipping, contact: { email } })
  await quoted(client, cart.id)
  const { orderId } = await paid(shop, client, (await checkout(client, cart.id)).body.data)
  await shop.run("update orders set status = 'completed' where id = $1", [orderId])
  return (await readOrder(client, orderId!)).number
}

describe('a person', () => {
  test('is not confused with one of the same name, nor with one whose order number begins alike', async () => {
    const shop = await startShop()
    const client = await checkoutClient(shop)
    const number = await orderOf(shop, client, 'ada@example.com')
    const other = await orderOf(shop, client, 'o.ada@example.com')
    await shop.work()
    await shop.run('update orders set number = $2 where number = $1', [other, `${number}7`])
    await shop.run('update mails set subject = replace(subject, $1, $2), body_text = replace(body_text, $1, $2)', [
      other,
      `${number}7`,
    ])
    const { reader } = shop.database
    const mailsTo = (recipient: string) => shop.query('select from mails where recipient = $1', [recipient])
    const answersAbout = async (email: string) =>
      (await storedAnswers(reader)).filter((answer) => answer.includes(BERLIN.recipientName) && answer.includes(email))
    const before = [(await mailsTo('o.ada@example.com')).length, (await answersAbout('"o.ada@example.com')).length]
    assert.ok(before.every((count) => count > 0))

    const person = await findPerson(reader, { email: 'ada@example.com' })
    const { mails } = (await exportPerson(reader, person)) as { mails: { recipient: string }[] }
    assert.ok(mails.length > 0)
    assert.deepEqual(new Set(mails.map(({ recipient }) => recipient)), new Set(['ada@example.com']))

    const { ids, clock } = shop
    await shop.database.transaction(async (tx) => erasePerson(tx, person, { ids, now: clock.now() }))
    await shop.work()
    assert.equal((await mailsTo('ada@example.com')).length, 0)
    assert.equal((await answersAbout('"ada@example.com')).length, 0)
    const after = [(await mailsTo('o.ada@example.com')).length, (await answersAbout('"o.ada@example.com')).length]
    assert.deepEqual(after, before)
  })

  test('is not confused with one whose order has the same number at another installation', async () => {
    const shop = await startShop()
    const number = await orderOf(shop, await checkoutClient(shop), 'ada@example.com')
    const other = await orderOf(shop, await checkoutClient(shop), 'ben@example.com')
    await shop.work()
    await shop.run('update orders set number = $2 where number = $1', [other, number])
    await shop.run('update mails set subject = replace(subject, $1, $2), body_text = replace(body_text, $1, $2)', [
      other,
      number,
    ])
    const { reader } = shop.database
    const recipientsOf = async (email: string) => {
      const { mails } = await exportPerson(reader, await findPerson(reader, { email }))
      return new Set((mails as { recipient: string }[]).map(({ recipient }) => recipient))
    }
    assert.deepEqual(await recipientsOf('ada@example.com'), new Set(['ada@example.com']))
    assert.deepEqual(await recipientsOf('ben@example.com'), new Set(['ben@example.com']))
  })

  test('is erased from the checks of VAT numbers, also of one typed on the checkout page or saved with the account', async () => {
    const shop = await startShop()
    await accountsOf(shop).customer('ada@example.com')
    await orderOf(shop, await checkoutClient(shop), 'ada@example.com')
    const typed = `billing_address = shipping_address || '{"vatId": "DE136695976"}'`
    await shop.run(`update checkout_sessions set ${typed}`)
    await shop.run(
      `insert into customer_addresses (id, customer_id, address, is_default, created_at, updated_at)
       select 'cad_1', customers.id, shipping_address || '{"vatId": "FR40303265045"}', true, $1, $1 from orders, customers`,
      [shop.clock.now()],
    )
    await shop.run(
      `insert into vat_checks (vat_id, outcome, name, checked_at)
       select vat_id, 'valid', 'A. Lovelace', $1 from unnest(array['DE136695976', 'FR40303265045', 'IT00743110157']) as vat_id`,
      [shop.clock.now()],
    )
    const { reader } = shop.database
    const person = await findPerson(reader, { email: 'ada@example.com' })
    assert.equal((await exportPerson(reader, person)).vat_checks?.length, 2)

    await shop.database.transaction(async (tx) => erasePerson(tx, person, { ids: shop.ids, now: shop.clock.now() }))

    assert.deepEqual(await shop.query('select vat_id from vat_checks'), [{ vat_id: 'IT00743110157' }])
  })

  test('is erased from very many stored answers in parts, so that no part outlasts the lease of its job', async () => {
    const shop = await startShop()
    const { database, ids, clock } = shop
    const [now, count] = [clock.now(), 50_001]
    await database.transaction(async (tx) => createAnswersPartition(tx, now))
    await shop.run(
      `insert into idempotency_answers (created_at, key_hash, answer)
       select $1, nth, '{"email":"ada@example.com"}' from generate_series(1, $2::integer) nth`,
      [now, count],
    )
    const left = async () => {
      const [row] = await shop.query(
        `select count(*)::integer as left from idempotency_answers where answer = '{"email":"ada@example.com"}'`,
        [],
      )
      return row?.left
    }
    const person = await findPerson(database.reader, { email: 'ada@example.com' })
    await database.transaction(async (tx) => erasePerson(tx, person, { ids, now }))
    const jobs = () => shop.query("select * from jobs where kind = 'privacy.erase_answers'", [])
    const [job] = (await jobs()) as unknown as [ClaimedJob]
    const context = {
      database,
      now,
      ids,
      log: logger('silent'),
      signal: new AbortController().signal,
      isStopping: () => false,
    }
    const finish = await privacyJobs[job.kind]!(job, context)
    assert.equal(await left(), 1)
    assert.equal(typeof finish, 'function', 'the rest is another part')
    await shop.work()
    assert.equal(await left(), 0)
    assert.deepEqual(await jobs(), [])
  })

  test("is erased from the events about a store's share of their order", async () => {
    const shop = await startShop()
    await shop.run(
      `insert into integrations (id, name, token_hash, token_hint, access, store_id, created_at)
       values ('itg_of_store', 'ERP', sha256('a'), 'abcd', '{"orders": "read"}', $1, $2)`,
      [shop.storeId('ceramics'), shop.clock.now()],
    )
    const client = await checkoutClient(shop)
    const cart = await readyCart(shop, client, { MUG: 1, NOVEL: 1 })
    const begun = await checkout(client, cart.id, { clientReferenceId: 'ADA-1' })
    const { orderId } = await paid(shop, client, begun.body.data)
    await shop.run("update orders set status = 'completed' where id = $1", [orderId])
    const eventsAbout = () =>
      shop.query("select of_share from events where convert_from(body, 'UTF8') like '%ADA-1%' order by of_share", [])
    assert.ok((await eventsAbout()).some(({ of_share }) => of_share === true))

    const person = await findPerson(shop.database.reader, { email: 'ada@example.com' })
    const { ids, clock } = shop
    await shop.database.transaction(async (tx) => erasePerson(tx, person, { ids, now: clock.now() }))
    assert.deepEqual(await eventsAbout(), [])
  })
})
