import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  begunSession,
  checkoutClient,
  readSession,
  SESSIONS,
  type Session,
  waitsForTransfer,
} from '../../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { expireSessions } from '../../../features/checkout/index.ts'

const IBAN = 'DE02120300000000202051'
const DAY_MS = 86_400_000

let shop: Shop
let client: InstallationClient
let operator: OperatorClient
before(async () => {
  shop = await startShop({ environment: { PAYMENT_INSTRUCTIONS: `Linen & Loom\nIBAN ${IBAN}` } })
  client = await checkoutClient(shop)
  operator = await operatorClient(shop)
})

/** A bowl of €26.90, to be transferred. */
async function waiting(): Promise<{ session: Session; chargeId: string; reference: string }> {
  const session = await begunSession(shop, client, { BOWL: 1 })
  const chargeId = await waitsForTransfer(shop, session)
  return { session, chargeId, reference: chargeId.slice(-10).toUpperCase() }
}

interface Row {
  readonly reference: string
  readonly amount?: string
  readonly account?: string
}
const csv = (...rows: readonly Row[]) =>
  [
    'Auftragskonto;Buchungstag;Verwendungszweck;Beguenstigter;Betrag;Waehrung',
    ...rows.map(
      ({ reference, amount = '26,90', account = IBAN }) => `${account};30.11.2026;${reference};Ada;${amount};EUR`,
    ),
  ].join('\n')

const preview = (file: string) => operator.upload('/bank-statements/preview?environment=test', file)
const bookAs = (file: string, plan: string) =>
  operator.upload(`/bank-statements?environment=test&plan=${encodeURIComponent(plan)}`, file)
const book = async (file: string) => bookAs(file, (await preview(file)).plan)
const matchesOf = ({ lines }: { lines: readonly { match: string }[] }) => lines.map(({ match }) => match)
const statusOf = async ({ id }: Pick<Session, 'id'>) => (await readSession(client, id)).status
const pageOf = async ({ url }: Session) =>
  (await fetch(url.replace(/^https?:\/\/[^/]+/, await shop.openPages()))).text()
const transfersIn = async (view: string, paymentId: string) => {
  const { body } = await operator.get(`/transfers?environment=test&view=${view}&limit=100`)
  return body.data.items.filter((each: { paymentId: string }) => each.paymentId === paymentId)
}

describe('a bank statement', () => {
  test('is previewed without a change, then confirms the payment, which places its order', async () => {
    const { session, chargeId, reference } = await waiting()
    const file = csv({ reference: `Bestellung ${reference.toLowerCase()}` })
    const shown = await preview(file)
    assert.deepEqual(matchesOf(shown), ['exact'])
    assert.deepEqual(shown.lines[0].payment, { id: chargeId, reference, amount: { amount: 2690, currency: 'EUR' } })
    assert.equal(await statusOf(session), 'requires_action')
    assert.equal((await bookAs(file, shown.plan)).booked, 1)
    assert.equal(await statusOf(session), 'completed')
  })

  test('that is uploaded twice, or overlaps with an earlier one, books nothing twice', async () => {
    const [one, other] = [await waiting(), await waiting()]
    assert.equal((await book(csv(one))).booked, 1)
    const both = csv(one, other)
    assert.deepEqual(matchesOf(await preview(both)), ['booked', 'exact'])
    assert.equal((await book(both)).booked, 1)
    const again = await book(both)
    assert.deepEqual([again.booked, matchesOf(again)], [0, ['booked', 'booked']])
    const [{ count }] = (await shop.query(
      'select count(*)::integer as count from bank_statement_lines where charge_id = $1',
      [one.chargeId],
    )) as [{ count: number }]
    assert.equal(count, 1)
  })

  test('with an IBAN of another account, or without a known reference, confirms nothing', async () => {
    const { session, reference } = await waiting()
    const file = csv({ reference, account: 'DE89370400440532013000' }, { reference: 'Danke' })
    const booked = await book(file)
    assert.deepEqual([booked.booked, matchesOf(booked)], [0, ['other_account', 'unknown']])
    assert.ok(booked.lines[1].candidates.some((each: { reference: string }) => each.reference === reference))
    assert.equal(await statusOf(session), 'requires_action')
  })

  test('is read and booked although a payment that it names has lost its session, which is deleted with its cart', async () => {
    const [gone, other] = [await waiting(), await waiting()]
    assert.equal((await client.post(`${SESSIONS}/${gone.session.id}/cancel`, {})).status, 200)
    await shop.app.payments.advance(gone.chargeId)
    await shop.run('delete from carts where id = $1', [gone.session.cartId])
    const booked = await book(csv(gone, other))
    assert.deepEqual([matchesOf(booked), booked.booked], [['late', 'exact'], 2])
    assert.equal(await statusOf(other.session), 'completed')
    const [listed] = await transfersIn('to_return', gone.chargeId)
    assert.equal(listed.surplus.amount, 2690)
  })

  test('with a part of an amount asks the shopper for the rest, once, and not if another line has it', async () => {
    const [short, whole] = [await waiting(), await waiting()]
    await book(
      csv(
        { ...short, amount: '10,00' },
        { ...short, amount: '10,50' },
        { ...whole, amount: '20,00' },
        { ...whole, amount: '6,90' },
      ),
    )
    const restMails = async () => {
      await shop.work()
      return (await shop.mails()).filter(({ kind }) => kind === 'checkout.transfer_rest')
    }
    assert.deepEqual(await restMails(), [])
    shop.clock.advance(5 * 60_000)
    const [mail, ...others] = await restMails()
    assert.deepEqual(others, [])
    assert.match(mail?.text ?? '', /Received.*€20\.50[\s\S]*Still to pay.*€6\.40/)
    assert.ok(mail?.text.includes(short.reference) && mail.text.includes(IBAN), mail?.text)
    await book(csv({ ...short, amount: '6,40' }))
    assert.equal(await statusOf(short.session), 'completed')
  })

  test('is matched in a fixed number of queries, however many payments it names', async () => {
    const named: Awaited<ReturnType<typeof waiting>>[] = []
    for (let index = 0; index < 12; index += 1) named.push(await waiting())
    const queriesFor = async (file: string) => {
      const before = shop.database.counters().queries
      const shown = await preview(file)
      assert.equal(
        matchesOf(shown).every((match) => match === 'exact'),
        true,
      )
      return shop.database.counters().queries - before
    }
    const [one, many] = [await queriesFor(csv(named[0]!)), await queriesFor(csv(...named))]
    assert.ok(many - one < named.length, `${many} queries for ${named.length} payments, ${one} for one`)
  })

  test('is refused 409 if its preview has changed meanwhile, and books nothing', async () => {
    const { session, chargeId, reference } = await waiting()
    const file = csv({ reference })
    const { plan } = await preview(file)
    await shop.app.payments.confirmManual(chargeId, { isDone: true })
    const answer = await fetch(`${operator.origin}/operator/v1/bank-statements?environment=test&plan=${plan}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
      body: file,
    })
    assert.equal(answer.status, 409)
    assert.equal(((await answer.json()) as { code: string }).code, 'version_conflict')
    assert.equal(await statusOf(session), 'completed')
    assert.deepEqual(matchesOf(await preview(file)), ['confirmed'])
  })

  test('booked by two operators at the same time confirms and counts each line once', async () => {
    const { session, chargeId, reference } = await waiting()
    const halves = csv({ reference, amount: '20,00' }, { reference, amount: '6,90' })
    const { plan } = await preview(halves)
    const answers = await Promise.allSettled([bookAs(halves, plan), bookAs(halves, plan)])
    // One that comes after the other has committed hears that its preview is out of date, and books nothing.
    for (const each of answers) if (each.status === 'rejected') assert.match(String(each.reason), /version_conflict/)
    const booked = answers.map((each) => (each.status === 'fulfilled' ? each.value.booked : 0))
    assert.equal(booked[0] + booked[1], 2)
    assert.equal(await statusOf(session), 'completed')
    assert.deepEqual(await transfersIn('to_return', chargeId), [])
  })

  test('that is not a statement is refused 400', async () => {
    const answer = await fetch(`${operator.origin}/operator/v1/bank-statements/preview`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
      body: '<!DOCTYPE x><x/>',
    })
    assert.equal(answer.status, 400)
    assert.equal(((await answer.json()) as { code: string }).code, 'file_unreadable')
  })
})

describe('the list of transfers', () => {
  test('has what waits with its reference, amount and deadline, and what was received so far', async () => {
    const { session, chargeId, reference } = await waiting()
    const [listed] = await transfersIn('waiting', chargeId)
    assert.equal(listed.reference, reference)
    assert.equal(listed.until, (await readSession(client, session.id)).expiresAt)
    assert.deepEqual(await transfersIn('underpaid', chargeId), [])
    assert.deepEqual(matchesOf(await book(csv({ reference, amount: '20,00' }))), ['underpaid'])
    const [underpaid] = await transfersIn('underpaid', chargeId)
    assert.deepEqual(underpaid.received, { amount: 2000, currency: 'EUR' })
    assert.equal(await statusOf(session), 'requires_action')
    const [rest] = (await book(csv({ reference, amount: '6,90' }))).lines
    assert.deepEqual([rest.match, rest.received.amount], ['exact', 2690])
    assert.equal(await statusOf(session), 'completed')
  })

  test('paid in part shows the shopper what has arrived, and asks for the rest in figures and in the code', async () => {
    const { session, reference } = await waiting()
    const shown = async () => {
      const text = await pageOf(session)
      const [, code = ''] = /<path d="([^"]+)" fill="#000"/.exec(text) ?? []
      return { code, facts: /<dl class="facts">.*?<\/dl>/s.exec(text)?.[0].replaceAll(/<[^>]+>|\s+/g, ' ') ?? '' }
    }
    const whole = await shown()
    assert.match(whole.facts, /Amount +€26\.90/)
    assert.doesNotMatch(whole.facts, /Still to be paid/)
    await book(csv({ reference, amount: '20,00' }))
    const rest = await shown()
    assert.match(rest.facts, /Amount +€26\.90 +Received so far +€20\.00 +Still to be paid +€6\.90/)
    assert.ok(rest.code !== '' && rest.code !== whole.code)
  })

  test('has what was paid too much, until it was paid back', async () => {
    const { session, chargeId, reference } = await waiting()
    const { lines } = await book(csv({ reference, amount: '30,00' }))
    assert.deepEqual([lines[0].match, lines[0].difference.amount], ['overpaid', 310])
    assert.equal(await statusOf(session), 'completed')
    const [listed] = await transfersIn('to_return', chargeId)
    assert.equal(listed.surplus.amount, 310)
    const wrong = await operator.send('POST', `/transfers/${chargeId}/return`, { amount: 300 })
    assert.equal(wrong.body.code, 'state_conflict')
    assert.equal((await operator.change('POST', `/transfers/${chargeId}/return`, { amount: 310 })).surplus.amount, 0)
    assert.deepEqual(await transfersIn('to_return', chargeId), [])
    assert.equal(
      (await operator.send('POST', `/transfers/${chargeId}/return`, { amount: 310 })).body.code,
      'state_conflict',
    )
    assert.equal(
      (await operator.send('POST', '/transfers/pay_00000000000000000000000000/return', { amount: 1 })).status,
      404,
    )
  })

  test('canceled by the shopper after a part has arrived says that it is paid back, not that nothing was charged', async () => {
    const [part, none] = [await waiting(), await waiting()]
    await book(csv({ reference: part.reference, amount: '10,00' }))
    for (const { session } of [part, none]) {
      const { status, text } = await client.post(`${SESSIONS}/${session.id}/cancel`, {})
      assert.equal(status, 200, text)
      await shop.work()
    }
    const page = await pageOf(part.session)
    assert.match(page, /Part or all of your bank transfer has arrived\. We’ll transfer it back\./)
    assert.doesNotMatch(page, /You were not charged/)
    assert.match(await pageOf(none.session), /You were not charged/)
  })

  test('has money that came after the checkout ended, also in parts, as money to be paid back', async () => {
    const { session, chargeId, reference } = await waiting()
    await book(csv({ reference, amount: '10,00' }))
    shop.clock.advance(8 * DAY_MS)
    await expireSessions(shop.database, { now: shop.clock.now(), ids: shop.ids })
    await shop.work()
    const { lines } = await book(csv({ reference, amount: '16,90' }))
    assert.equal(lines[0].match, 'late')
    assert.equal(await statusOf(session), 'expired')
    const [listed] = await transfersIn('to_return', chargeId)
    assert.deepEqual([listed.surplus.amount, listed.status], [2690, 'ended'])
  })
})
