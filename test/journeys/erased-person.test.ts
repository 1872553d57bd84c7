// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { GO_WITH_OTHERS, PLACES, REWRITTEN, WITHOUT_SHOPPERS } from '../../server/src/features/privacy/places.ts'
import { backupOf } from '../../server/src/platform/backup/backup.ts'
import { logger } from '../../server/src/platform/observe/logger.ts'
import { sweep } from '../../server/src/worker/sweep.ts'
import { SELLER } from '../operator/calls-of-stores.ts'
import { ACCOUNTS, accountsOf, registration } from '../support/commerce/accounts.ts'
import { lineOf, postAfterSales, postCancellation, readOrder, setPolicy } from '../support/commerce/after-sales.ts'
import { checkout, checkoutClient, paid } from '../support/commerce/checkout.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { type OperatorClient, operatorClient } from '../support/operator.ts'
import { OPERATOR_TOKEN } from '../support/operator-token.ts'
import { customerTokenOf } from '../support/pages/hosted-login.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import { storedAnswers } from '../support/stored-answers.ts'

/**
 * A person with unique values uses the real doors, and is erased. Then every table, the answers stored for repeated
 * requests, a backup and the logs are searched for these values.
 */

const EMAIL = 'quendoline@zweifelspitz.example'
const NAME = 'Quendoline Zweifelspitz'
const STREET = 'Unverwechselgasse 77'
const PHONE = '+4930998877665'
/** The values that only this person has. */
const PLANTED = [
  EMAIL,
  'Quendoline',
  'Zweifelspitz',
  'Unverwechselgasse',
  '998877665',
  'PLZ99Q',
  'Knatterbach',
  'PLANTED',
  '993877665',
]
/** Also personal data: answers of the registry are stored by this number. */
const VAT_ID = 'DE993877665'

const lines: string[] = []
let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop({ onLogLine: (line) => void lines.push(line) })
  operator = await operatorClient(shop)
  await operator.change('PUT', '/seller-record', SELLER)
  await operator.change('POST', '/operators', {
    email: 'kept@operator.example',
    role: 'owner',
    password: 'a pass phrase',
  })
})

async function plant(): Promise<string> {
  await setPolicy(shop, 'ceramics', { cancellation: { automatic: false } })
  const client = await checkoutClient(shop)
  await opened(client)
  await shop.anonymous.post(ACCOUNTS.register, {
    ...registration,
    email: EMAIL,
    firstName: 'Quendoline',
    lastName: 'Zweifelspitz',
    marketingConsent: true,
  })
  await shop.work()
  await accountsOf(shop).confirm((await shop.mails()).find(({ recipient }) => recipient === EMAIL)!.link)
  await shop.anonymous.post(ACCOUNTS.requestReset, { email: EMAIL })
  const customerToken = await customerTokenOf(shop, client, EMAIL)
  await plantInAccount()
  const { id: customerId } = (await shop.query(`select id from customers`))[0] as { id: string }
  await operator.change('POST', '/promotions', {
    store: 'ceramics',
    title: { en: 'For a person' },
    code: 'PERSON',
    effect: { kind: 'percentage', target: 'order', rate: '0.10' },
    audience: 'listed_customers',
    customerIds: [customerId],
    usageLimitPerCustomer: 1,
  })

  const cart = await cartOf(shop, client, { MUG: 3 }, { customerToken })
  const applied = await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'PERSON' })
  assert.equal(applied.status, 200, applied.text)
  const address = {
    recipientName: NAME,
    line1: STREET,
    line2: 'PLANTED-2',
    city: 'Knatterbach',
    postalCode: 'PLZ99Q',
    countryCode: 'DE',
    phone: PHONE,
  }
  const put = await client.put(`${CARTS}/${cart.id}/address`, {
    shipping: { ...address, postalCode: '10969' },
    billing: { ...address, postalCode: '10969' },
    contact: { email: EMAIL, phone: PHONE },
  })
  assert.equal(put.status, 200, put.text)
  const begun = await checkout(client, cart.id, { metadata: { note: 'PLANTED-3' }, clientReferenceId: 'PLANTED-4' })
  assert.equal(begun.status, 200, begun.text)
  const { orderId } = await paid(shop, client, begun.body.data)
  assert.ok(orderId)
  await shop.work()
  const order = await readOrder(client, orderId)
  await operator.change('POST', `/orders/${orderId}/hold`, { reason: `${NAME} has called.` })
  await operator.change('POST', `/orders/${orderId}/release`, {})
  await operator.change('POST', `/orders/${orderId}/notes`, { text: `PLANTED-12 ${NAME}` })
  await operator.change('PUT', `/orders/${orderId}/tags`, { tags: ['PLANTED-13'] })
  const lineId = lineOf(shop, order, 'MUG').id
  const canceled = await postCancellation(client, orderId, { note: 'PLANTED-5', lines: [{ lineId, quantity: 1 }] })
  assert.equal(canceled.status, 200, canceled.text)
  await operator.change('POST', `/cancellations/${canceled.body.data.id}/decline`, { declineReason: 'PLANTED-6' })
  await operator.change('POST', `/orders/${orderId}/parcels`, {
    reference: 'PLANTED-7',
    carrier: 'DHL',
    trackingNumber: 'PLANTED-8',
    trackingUrl: 'https://carrier.example/PLANTED-9',
  })
  const [fulfillment] = (await operator.get('/fulfilments?status=dispatched&environment=test')).body.data.items
  await operator.change('POST', `/fulfilments/${fulfillment.id}/delivered`, {})
  const request = await postAfterSales(client, orderId, {
    lines: [{ lineId, quantity: 1 }],
    description: `PLANTED-10 ${NAME}`,
  })
  assert.equal(request.status, 200, request.text)
  await operator.change('POST', `/after-sales/${request.body.data.id}/decline`, { declineReason: 'PLANTED-11' })
  const [invoice] = (await operator.get(`/orders/${orderId}/invoices`)).body.data.items
  await fetch(`${operator.origin}/operator/v1/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
  })
  await shop.work()
  await plantRows(orderId)
  // Its answer, the whole order as an operator sees it, is stored for a repeated request.
  const note = { text: `PLANTED-16 ${NAME}` }
  const noted = await operator.send('POST', `/orders/${orderId}/notes`, note, { 'idempotency-key': 'note-1' })
  assert.equal(noted.status, 200, JSON.stringify(noted.body))
  // A registration that was never confirmed.
  await shop.anonymous.post(ACCOUNTS.register, { ...registration, email: EMAIL, firstName: 'PLANTED-15' })
  return orderId
}

/** Data that a customer enters on the pages of their account. */
async function plantInAccount(): Promise<void> {
  const visitor = pageVisitor(await shop.openPages())
  await visitor.open('/account')
  assert.equal((await visitor.send('/account', { email: EMAIL, password: registration.password })).location, '/account')
  await visitor.open('/account/addresses/edit')
  await visitor.send('/account/addresses/edit', {
    recipientName: NAME,
    line1: STREET,
    city: 'Knatterbach',
    postalCode: '10969',
    countryCode: 'DE',
  })
  await visitor.open('/account/security')
  const changed = await visitor.send('/account/security/email', { email: 'planted@zweifelspitz.example' })
  assert.match(changed.location, /done=email/)
}

/** Inserts rows that would need another service, a failure, or a minute of time. */
async function plantRows(orderId: string): Promise<void> {
  const now = shop.clock.now()
  const asked = [VAT_ID, `PLANTED-14 ${NAME}`, STREET, now]
  await shop.run(
    `insert into vat_checks (vat_id, outcome, name, address, checked_at) values ($1, 'valid', $2, $3, $4)`,
    asked,
  )
  await shop.run(
    `insert into order_vat_checks (order_id, vat_id, outcome, name, address, checked_at) values ($5, $1, 'valid', $2, $3, $4)`,
    [...asked, orderId],
  )
  await shop.run(
    `update orders set billing_address = billing_address || jsonb_build_object('vatId', $2::text) where id = $1`,
    [orderId, VAT_ID],
  )
  await shop.run(
    `insert into jobs (id, kind, subject, payload, run_at, attempts, attempts_max, dead_at)
     values ('job_dead', 'a.kind', 'a subject', $1, $2, 1, 1, $2)`,
    [{ words: [EMAIL] }, now],
  )
  await shop.run(
    `insert into search_counts (day, locale, query, searches, found_nothing, corrected, edited) values ($1, 'en', $2, 1, 1, 0, 0)`,
    [now, NAME.toLowerCase()],
  )
}

/** The places of planted values, in text, JSON or bytes. */
async function tablesWith(): Promise<string[]> {
  const tables = await shop.query(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  )
  const needles = PLANTED.flatMap((value) => [value, Buffer.from(value).toString('hex')]).map((each) => `%${each}%`)
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await shop.query(`select count(*)::integer as rows from "${name}" t where t::text ilike any ($1)`, [
      needles,
    ])
    if (Number(row?.rows) > 0) found.push(String(name))
  }
  return found
}

const hasPlanted = (text: string) => PLANTED.filter((value) => text.toLowerCase().includes(value.toLowerCase()))
const person = { person: EMAIL }

describe('a person', () => {
  test('is searched in every table that is not listed as one without shoppers', async () => {
    const rows = await shop.query(
      `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace order by 1`,
    )
    const listed = [...PLACES.map(({ table }) => table), ...GO_WITH_OTHERS, ...REWRITTEN, ...WITHOUT_SHOPPERS]
    assert.deepEqual(listed.toSorted(), rows.map(({ name }) => String(name)).toSorted())
  })

  let orderId: string
  test('is found in many places, all of which are listed', async () => {
    orderId = await plant()
    const known = new Set([...PLACES.map(({ table }) => table), ...GO_WITH_OTHERS])
    const found = await tablesWith()
    assert.ok(found.length >= 12, `only in ${found}`)
    assert.deepEqual(
      found.filter((table) => !known.has(table) && !REWRITTEN.some((rewritten) => table.startsWith(rewritten))),
      [],
    )
    assert.ok((await storedAnswers(shop.database.reader)).some((answer) => hasPlanted(answer).length > 0))
  })

  test('is found in each listed place, so that the erasure of each is tested', async () => {
    const { found } = (await operator.send('POST', '/people/erasure-preview', person)).body.data
    const filled = found.map(({ place }: { place: string }) => place)
    const expected = PLACES.filter(({ erase }) => erase !== null).map(({ table }) => table)
    assert.deepEqual(
      expected.filter((table) => !filled.includes(table)),
      [],
    )
  })

  test('gets one file with everything', async () => {
    const { data } = await operator.change('POST', '/people/export', person)
    assert.deepEqual(
      hasPlanted(JSON.stringify(data)),
      PLANTED.filter((value) => value !== 'PLZ99Q'),
    )
    assert.equal(data.orders[0].id, orderId)
    assert.doesNotMatch(JSON.stringify(data), /argon2id|password_hash|token_hash/)
  })

  test('is erased except from the invoice and its proof, and found in no table, answer, backup or log', async () => {
    const { found, open } = (await operator.send('POST', '/people/erasure-preview', person)).body.data
    assert.deepEqual(open, [])
    assert.ok(found.some(({ place }: { place: string }) => place === 'orders'))
    await operator.change('POST', '/people/erase', person)
    await shop.work()
    assert.deepEqual(await tablesWith(), ['invoices', 'order_vat_checks'])
    const answers = await storedAnswers(shop.database.reader)
    assert.deepEqual(answers.flatMap(hasPlanted), [])
    assert.equal((await operator.get(`/orders/${orderId}`)).status, 200, 'the order stays, without its person')
  })

  test('is erased from the invoice when its retention period is over', async () => {
    const settings = { orderYears: 10, endedCartDays: 90, mailDays: 30, searchDays: 180 }
    assert.equal((await operator.send('POST', '/retention/preview', settings)).body.data.invoices, 0)
    shop.clock.advance(11 * 366 * 86_400_000)
    assert.equal((await operator.send('POST', '/retention/preview', settings)).body.data.invoices, 1)
    await operator.change('PUT', '/retention', settings)
    const { database, clock, ids } = shop
    await sweep({} as never, {
      database,
      now: clock.now(),
      ids,
      log: logger('error'),
      signal: new AbortController().signal,
      isStopping: () => false,
    })
    await shop.work()
    assert.deepEqual(await tablesWith(), [])
    const backup: Buffer[] = []
    for await (const bytes of backupOf(shop.databaseUrl, { now: shop.clock.now() })) backup.push(bytes)
    assert.deepEqual(hasPlanted(Buffer.concat(backup).toString('latin1')), [])
    assert.deepEqual(
      lines.filter((line) => hasPlanted(line).length > 0),
      [],
    )
    const [invoice] = (await operator.get(`/orders/${orderId}/invoices`)).body.data.items
    assert.equal(invoice.total.amount > 0, true, 'numbers and totals stay')
    await assert.rejects(shop.query('update invoices set total = 1'), /never changed/)
  })
})
