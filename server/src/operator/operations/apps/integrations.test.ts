import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { bought, lineOf, postAfterSales, readOrder } from '../../../../../test/support/commerce/after-sales.ts'
import { checkoutClient } from '../../../../../test/support/commerce/checkout.ts'
import { paidBy } from '../../../../../test/support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { opened } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { type OperatorAnswer, type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { narrowedClient } from '../../../../../test/support/pages/oauth.ts'
import { storedAnswers } from '../../../../../test/support/stored-answers.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { ship } from '../../../features/fulfillment/index.ts'

const HOOK = { url: 'https://erp.example/hooks', events: ['*'] }

let shop: Shop
let operator: OperatorClient
let client: InstallationClient
before(async () => {
  shop = await startShop()
  ;[operator, client] = await Promise.all([operatorClient(shop), checkoutClient(shop)])
})

let made = 0
async function integration(more: object = {}) {
  made += 1
  const body = { name: `ERP ${made}`, access: { orders: 'write', catalog: 'write' }, ...more }
  const { integration: created, token } = await operator.change('POST', '/integrations', body)
  return { ...created, token, client: await operatorClient(shop, { authorization: `Bearer ${token}` }) }
}
const narrowed = (storeSlug = 'books') => integration({ storeSlug })
const codeOf = ({ status, body }: OperatorAnswer) => [status, body.code]

describe('a token', () => {
  test('is shown once, stored as its hash, and calls the rows of its areas', async () => {
    const { id, token, client: erp } = await integration({ access: { orders: 'read' } })
    const stored = await shop.query('select to_jsonb(integrations)::text as row from integrations where id = $1', [id])
    assert.ok(!String(stored[0]?.row).includes(token))
    assert.ok(!JSON.stringify((await operator.get(`/integrations/${id}`)).body).includes(token))
    assert.equal((await erp.get('/orders')).status, 200)
    assert.deepEqual(codeOf(await erp.get('/products')), [403, 'access_insufficient'])
    assert.deepEqual(codeOf(await erp.send('POST', '/orders/x/hold', {})), [403, 'access_insufficient'])
    for (const path of ['/session', '/integrations', '/operators', '/mails', '/setup']) {
      assert.deepEqual(codeOf(await erp.get(path)), [403, 'access_insufficient'], path)
    }
    assert.equal(
      (await fetch(`${erp.origin}/mail-frame`, { method: 'POST', headers: { authorization: `Bearer ${token}` } }))
        .status,
      401,
    )
  })

  test('has no fresh proof: it can neither change a bank account nor refund more than the limit', async () => {
    const { client: erp } = await integration({ access: { refunds: 'write', finance: 'write' } })
    const { id } = await bought(shop, client, { MUG: 1 })
    await operator.change('PUT', '/operator-policy', { requiresSecondFactor: false, proofForRefundsOver: 3 })
    const refund = (amount: number) => erp.send('POST', `/orders/${id}/refunds`, { amount })
    assert.deepEqual(codeOf(await refund(301)), [401, 'fresh_proof_required'])
    assert.equal((await refund(300)).status, 200)
    assert.deepEqual(codeOf(await erp.send('PUT', '/bank-accounts/EUR', {})), [403, 'access_insufficient'])
  })

  test('names its integration in the audit log', async () => {
    const { id, name, client: erp } = await integration()
    const order = await paidBy(shop, client, { MUG: 1 })
    await erp.change('POST', `/orders/${order.id}/parcels`, { reference: 'P-1' })
    const [entry] = (await operator.get(`/audit-log?subject=${order.id}`)).body.data.items
    assert.deepEqual([entry.operation, entry.operator], ['shipOrder', { id, email: name, via: 'integration' }])
  })

  test('shows its last use, to the minute', async () => {
    const { id, client: erp } = await integration()
    const lastUse = async () => (await operator.get(`/integrations/${id}`)).body.data.lastUsedAt
    assert.equal(await lastUse(), undefined)
    await erp.get('/orders')
    const first = shop.clock.now().toISOString()
    shop.clock.advance(59_000)
    await erp.get('/orders')
    assert.equal(await lastUse(), first)
    shop.clock.advance(1000)
    await erp.get('/orders')
    assert.equal(await lastUse(), shop.clock.now().toISOString())
  })

  test('ends when it expires, when it is replaced and when it is revoked, from the next request on', async () => {
    const expiring = await integration({ expiresAt: new Date(shop.clock.now().getTime() + 60_000).toISOString() })
    assert.equal((await expiring.client.get('/orders')).status, 200)
    shop.clock.advance(60_000)
    assert.deepEqual(codeOf(await expiring.client.get('/orders')), [401, 'session_required'])
    assert.equal((await operator.get(`/integrations/${expiring.id}`)).body.data.status, 'expired')
    const late = await operator.send('POST', `/integrations/${expiring.id}/token`, {})
    assert.deepEqual(codeOf(late), [409, 'state_conflict'])

    const { id, client: old } = await integration()
    const { token } = await operator.change('POST', `/integrations/${id}/token`, {})
    const fresh = await operatorClient(shop, { authorization: `Bearer ${token}` })
    assert.deepEqual([(await old.get('/orders')).status, (await fresh.get('/orders')).status], [401, 200])
    await operator.change('POST', `/integrations/${id}/webhook-endpoints`, { environment: 'test', ...HOOK })
    const revoked = await operator.change('POST', `/integrations/${id}/revoke`, {})
    assert.deepEqual([revoked.status, revoked.endpointCount], ['revoked', 0])
    assert.deepEqual(codeOf(await fresh.get('/orders')), [401, 'session_required'])
    assert.deepEqual(codeOf(await operator.send('POST', `/integrations/${id}/revoke`, {})), [409, 'state_conflict'])
  })

  test('has a rate limit of its own; wrong tokens are limited by address', async () => {
    const world = await startShop({
      environment: { RATE_LIMITS: '{"integration":{"limit":2,"windowSeconds":60,"burst":2}}' },
    })
    const owner = await operatorClient(world)
    const { token } = await owner.change('POST', '/integrations', { name: 'ERP', access: { orders: 'read' } })
    const send = async (bearer: string) => (await owner.get('/orders', { authorization: `Bearer ${bearer}` })).status
    assert.deepEqual([await send(token), await send(token), await send(token)], [200, 200, 429])
    const wrong: number[] = []
    for (let tries = 0; tries < 21; tries += 1) wrong.push(await send(`vit_${'x'.repeat(43)}`))
    assert.deepEqual([new Set(wrong.slice(0, 20)), wrong[20]], [new Set([401]), 429])
    world.clock.advance(60_000)
    assert.equal(await send(token), 200)
  })

  test('has at most the access of its creator, a future expiry, a store that exists and a name of its own', async () => {
    const create = (body: object) => operator.send('POST', '/integrations', { access: { orders: 'read' }, ...body })
    await create({ name: 'Only one' })
    assert.deepEqual(codeOf(await create({ name: 'only ONE' })), [409, 'name_taken'])
    assert.deepEqual(codeOf(await create({ name: 'Nowhere', storeSlug: 'nowhere' })), [404, 'not_found'])
    const past = await create({ name: 'Past', expiresAt: shop.clock.now().toISOString() })
    assert.deepEqual([...codeOf(past), past.body.details[0].pointer], [400, 'validation_failed', '/expiresAt'])
    assert.deepEqual(codeOf(await create({ name: 'Mail', access: { mailbox: 'read' } })), [400, 'unknown_field'])
    assert.deepEqual(codeOf(await create({ name: 'Empty', access: {} })), [400, 'validation_failed'])
    const [email, password] = ['manager@operator.example', 'a pass phrase of the manager']
    await operator.change('POST', '/operators', { email, role: 'manager', password })
    const { headers } = await operator.send('POST', '/sessions', { email, password }, { authorization: '' })
    const manager = await operatorClient(shop, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
    const more = await manager.send('POST', '/integrations', { name: 'More', access: { audit: 'write' } })
    assert.deepEqual(codeOf(more), [403, 'role_insufficient'])
    await manager.change('POST', '/integrations', { name: 'As much', access: { audit: 'read', orders: 'write' } })
  })
})

describe('a token of one store', () => {
  test('sees its orders and its share of others, and ships only its part', async () => {
    const { client: erp } = await narrowed()
    const own = await paidBy(shop, client, { NOVEL: 1 })
    shop.clock.advance(1)
    const mixed = await paidBy(shop, client, { NOVEL: 2, MUG: 3 })
    const other = await paidBy(shop, client, { MUG: 1 })
    const listed = (await erp.get('/orders?environment=test')).body.data.items
    assert.deepEqual(
      listed.map((item: { order: { id: string; counts: object } }) => [item.order.id, item.order.counts]),
      [mixed, own].map(({ id }) => [id, { lines: 1, units: id === own.id ? 1 : 2 }]),
    )
    const { order, stores, fulfilments, allowed } = (await erp.get(`/orders/${mixed.id}`)).body.data
    assert.deepEqual([order.lines.length, stores.length, fulfilments.length], [1, 1, 1])
    assert.equal(order.totals.total.amount, order.totals.byStore[0].total.amount)
    assert.deepEqual(allowed, ['ship'])
    assert.deepEqual(codeOf(await erp.get(`/orders/${other.id}`)), [404, 'not_found'])
    assert.deepEqual(codeOf(await erp.send('POST', `/orders/${other.id}/parcels`, {})), [404, 'not_found'])
    assert.deepEqual(codeOf(await erp.send('POST', `/orders/${mixed.id}/hold`, {})), [404, 'not_found'])
    assert.deepEqual(codeOf(await erp.get('/customers')), [403, 'access_insufficient'])

    const shipped = await erp.change('POST', `/orders/${mixed.id}/parcels`, { reference: 'P-1', carrier: 'DHL' })
    assert.deepEqual([shipped.order.lines[0].quantity.fulfilled, shipped.allowed], [2, []])
    const whole = (await operator.get(`/orders/${mixed.id}`)).body.data
    assert.equal(whole.order.fulfillmentStatus, 'partially_fulfilled')
    const context = { ids: shop.ids, now: shop.clock.now() }
    const theirs = await shop.database.transaction((tx) =>
      ship(tx, { orderId: mixed.id, storeId: shop.storeId('ceramics'), reference: 'P-2' }, context),
    )
    const again = await erp.send('POST', `/orders/${mixed.id}/parcels`, { reference: 'P-2' })
    assert.deepEqual(codeOf(again), [409, 'name_taken'])
    const parcels = (await erp.get('/fulfilments?status=dispatched')).body.data.items
    assert.deepEqual(
      parcels.map((parcel: { reference: string }) => parcel.reference),
      ['P-1'],
    )
    assert.deepEqual(codeOf(await erp.send('POST', `/fulfilments/${theirs.id}/delivered`, {})), [404, 'not_found'])
    await erp.change('POST', `/fulfilments/${parcels[0].id}/delivered`, {})
  })

  test('sees and sets the stock of its own products', async () => {
    const { client: erp } = await narrowed()
    const names = async (query = '') => {
      return (await erp.get(`/products${query}`)).body.data.items.map(
        ({ externalId }: { externalId: string }) => externalId,
      )
    }
    assert.deepEqual([await names(), await names('?store=ceramics')], [['novel'], []])
    const idOf = async (q: string) => (await operator.get(`/products?q=${q}`)).body.data.items[0].id
    const [novel, mug] = [await idOf('NOVEL'), await idOf('MUG')]
    const stock = { environment: 'test', onHand: 7, whenOutOfStock: 'deny' }
    const set = await erp.change('POST', `/products/${novel}/stock`, { ...stock, skuId: shop.sku('NOVEL') })
    assert.equal(set.skus[0].stock.find((each: { environment: string }) => each.environment === 'test').onHand, 7)
    const refused = await erp.send('POST', `/products/${mug}/stock`, { ...stock, skuId: shop.sku('MUG') })
    assert.deepEqual(codeOf(refused), [404, 'not_found'])
    assert.deepEqual(codeOf(await erp.get(`/products/${mug}`)), [404, 'not_found'])
    await shop.setStock('NOVEL', 20)
  })

  test('sees and books the returns of its own goods', async () => {
    const { client: erp } = await narrowed()
    const [own, other] = [await paidBy(shop, client, { NOVEL: 1 }), await paidBy(shop, client, { MUG: 1 })]
    const ids: string[] = []
    for (const [placed, code] of [
      [own, 'NOVEL'],
      [other, 'MUG'],
    ] as const) {
      await operator.change('POST', `/orders/${placed.id}/parcels`, {})
      const { fulfilments } = (await operator.get(`/orders/${placed.id}`)).body.data
      await operator.change('POST', `/fulfilments/${fulfilments[0].id}/delivered`, {})
      const line = lineOf(shop, await readOrder(client, placed.id), code)
      const lines = [{ lineId: line.id, quantity: 1 }]
      const answer = await postAfterSales(client, placed.id, {
        kind: 'return',
        reasonCode: 'size_or_fit',
        lines: [{ ...lines[0], condition: 'unopened' }],
      })
      assert.equal(answer.status, 200, answer.text)
      ids.push(answer.body.data.id)
    }
    const listed = (await erp.get('/after-sales')).body.data.items.map(
      (each: { request: { id: string } }) => each.request.id,
    )
    assert.deepEqual(listed, ids.slice(0, 1))
    assert.deepEqual(codeOf(await erp.get(`/after-sales/${ids[1]}`)), [404, 'not_found'])
    assert.deepEqual(codeOf(await erp.send('POST', `/after-sales/${ids[1]}/approve`, {})), [404, 'not_found'])
    await erp.change('POST', `/after-sales/${ids[0]}/approve`, {})
    await erp.change('POST', `/after-sales/${ids[0]}/received`, {})
    const booked = await erp.change('POST', `/after-sales/${ids[0]}/inspect`, { accepted: true })
    assert.equal(booked.inspection.accepted, true)

    await operator.change('POST', `/after-sales/${ids[1]}/withdraw`, {})
    await erp.change('POST', `/after-sales/${ids[0]}/decline`, { declineReason: 'It was worn.' })
    const ended = (await erp.get('/after-sales?closed=true')).body.data.items
    assert.deepEqual(
      ended.map((each: { request: { id: string } }) => each.request.id),
      ids.slice(0, 1),
    )
  })
})

/** The events after a position, page by page. */
async function eventsOf(reader: OperatorClient, after = 0, limit = 2) {
  const seen: { position: number; type: string; sequence: number; data: { orderId: string; storeIds: string[] } }[] = []
  let position = after
  let hasMore = true
  while (hasMore) {
    const { body } = await reader.get(`/events?environment=test&after=${position}&limit=${limit}`)
    seen.push(...body.data.items)
    ;({ position, hasMore } = body.data)
  }
  return { seen, position }
}

describe('the event log', () => {
  test('has each event once in one order, and for a store only its own events and shares', async () => {
    await shop.work()
    shop.clock.advance(1)
    const { client: erp } = await narrowed()
    const all = await operatorClient(shop)
    const start = await eventsOf(all)
    const [own, mixed] = [await paidBy(shop, client, { NOVEL: 1 }), await bought(shop, client, { NOVEL: 1, MUG: 1 })]
    await paidBy(shop, client, { MUG: 1 })
    await shop.work()
    await operator.change('POST', `/orders/${own.id}/parcels`, {})
    await operator.change('POST', `/orders/${mixed.id}/cancellations`, { reason: 'other' })
    await shop.work()
    const { seen, position } = await eventsOf(all, start.position)
    assert.equal(seen.filter(({ type }) => type === 'order.created').length, 3)
    const numbers = seen.filter(({ data }) => data.orderId === own.id).map(({ sequence }) => sequence)
    assert.deepEqual(
      numbers,
      [...numbers.keys()].map((index) => index + 1),
    )
    assert.deepEqual((await eventsOf(all, position)).seen, [])
    const mine = await eventsOf(erp)
    const created = mine.seen.filter(({ type }) => type === 'order.created').map(({ data }) => data.orderId)
    assert.deepEqual(created, [own.id, mixed.id])
    assert.ok(mine.seen.every(({ data }) => data.storeIds.every((id) => id === shop.storeId('books'))))
    assert.equal(mine.position, position)
    const isOfCancellation = ({ type }: { type: string }) => type.startsWith('order.cancellation.')
    assert.ok(seen.some(isOfCancellation))
    assert.ok(!mine.seen.some(isOfCancellation), 'a cancellation of an order of several stores is the marketplace’s')
  })

  test('409 events_expired: the events after the position were deleted, or the position is from another database', async () => {
    const expired = async (after: number) => codeOf(await operator.get(`/events?environment=test&after=${after}`))
    assert.deepEqual(await expired(999_999), [409, 'events_expired'])
    const [row] = await shop.query('select position from event_log order by position offset 2 limit 1')
    await shop.run('delete from events where id in (select event_id from event_log where position <= $1)', [
      row?.position,
    ])
    assert.deepEqual(await expired(1), [409, 'events_expired'])
    assert.equal((await operator.get(`/events?environment=test&after=${row?.position}`)).status, 200)
    assert.equal((await operator.get('/events?environment=test&after=0')).status, 200)
  })
})

describe('a webhook endpoint of an integration', () => {
  const deliveredTo = async (endpointId: string) => {
    await shop.work()
    const { items } = (await operator.get(`/webhook-endpoints/${endpointId}/deliveries?limit=100`)).body.data
    const bodies = items.map(
      async ({ id }: { id: string }) => (await operator.get(`/webhook-deliveries/${id}`)).body.data.body,
    )
    return (await Promise.all(bodies)).map((body) => JSON.parse(body)).reverse()
  }
  const endpointOf = (id: string, more: object = {}) =>
    operator.change('POST', `/integrations/${id}/webhook-endpoints`, { environment: 'test', ...HOOK, ...more })

  test('receives the orders of its store from every installation, and no checkout, cart or test event of another endpoint', async () => {
    const { id } = await narrowed()
    const everything = await integration({ access: { orders: 'read' } })
    const goods = await integration({ access: { catalog: 'read' } })
    const endpoints = [await endpointOf(id), await endpointOf(everything.id), await endpointOf(goods.id)]
    const another = await checkoutClient(shop)
    const [own, mixed] = [await paidBy(shop, client, { NOVEL: 1 }), await paidBy(shop, another, { NOVEL: 1, MUG: 1 })]
    const other = await paidBy(shop, another, { MUG: 1 })
    await operator.change('POST', `/webhook-endpoints/${endpoints[1].id}/test`, { message: 'Hello' })
    // One worker at a time fans out; another that works meanwhile does not wait for it.
    await shop.work()
    const [mine, all, none] = await Promise.all(endpoints.map(({ id: each }) => deliveredTo(each)))
    const created = (events: { type: string; data: { orderId: string } }[]) =>
      events
        .filter(({ type }) => type === 'order.created')
        .map(({ data }) => data.orderId)
        .sort()
    assert.deepEqual(created(mine!), [own.id, mixed.id].sort())
    assert.ok(mine!.every(({ data }) => data.storeIds.length === 1))
    assert.deepEqual(created(all!), [own.id, mixed.id, other.id].sort())
    assert.deepEqual(all!.filter(({ type }) => type === 'webhook.test').length, 1)
    assert.deepEqual(none, [])
  })

  test('is created once by a request that is repeated with its idempotency key, and its secret is shown once', async () => {
    const { id } = await integration()
    const create = () =>
      operator.send(
        'POST',
        `/integrations/${id}/webhook-endpoints`,
        { environment: 'test', ...HOOK },
        { 'idempotency-key': 'lost-answer' },
      )
    const [first, again] = [await create(), await create()]
    const { secret, ...endpoint } = first.body.data
    assert.match(secret, /^whsec_/)
    assert.deepEqual(again.body.data, { ...endpoint, secretState: 'already_shown' })
    assert.equal((await operator.get(`/webhook-endpoints?integrationId=${id}`)).body.data.items.length, 1)
    assert(!(await storedAnswers(shop.database.reader)).join('').includes(secret), 'the secret is stored')
  })

  test('is listed with its integration, updated, and given a new secret', async () => {
    const { id, name } = await integration()
    const created = await endpointOf(id)
    assert.match(created.secret, /^whsec_/)
    const [listed] = (await operator.get(`/webhook-endpoints?integrationId=${id}`)).body.data.items
    assert.deepEqual(
      [listed.endpoint.id, listed.integration, listed.installation],
      [created.id, { id, name }, undefined],
    )
    const path = `/integrations/${id}/webhook-endpoints/${created.id}`
    const rotated = await operator.change('PATCH', path, { rotateSecret: 'now', events: ['order.created'] })
    assert.notEqual(rotated.secret, created.secret)
    const foreign = await integration()
    const refused = await operator.send('PATCH', `/integrations/${foreign.id}/webhook-endpoints/${created.id}`, {
      status: 'paused',
    })
    assert.deepEqual(codeOf(refused), [404, 'not_found'])
    const inside = await operator.send('POST', `/integrations/${id}/webhook-endpoints`, {
      environment: 'test',
      url: 'https://127.0.0.1/hooks',
      events: ['*'],
    })
    assert.deepEqual(codeOf(inside), [400, 'webhook_url_invalid'])
  })

  test('that is disabled is reported to the other endpoints of its integration, and to no installation', async () => {
    const { id } = await integration()
    const [gone, other] = [await endpointOf(id, { url: 'https://gone.example/hooks' }), await endpointOf(id)]
    const app = await opened(client)
    await shop.run(
      `insert into webhook_health (endpoint_id, consecutive_failures, failing_since) values ($1, 9, $2)
       on conflict (endpoint_id) do update set consecutive_failures = 9, failing_since = $2`,
      [gone.id, new Date(shop.clock.now().getTime() - 6 * 86_400_000)],
    )
    await operator.change('POST', `/webhook-endpoints/${gone.id}/test`, { message: 'Hello' })
    await shop.work()
    const { endpoint } = (await operator.get(`/webhook-endpoints/${gone.id}`)).body.data
    assert.equal(endpoint.status, 'disabled')
    const disabled = (events: { type: string }[]) =>
      events.filter(({ type }) => type === 'webhook.endpoint.disabled').length
    assert.deepEqual([disabled(await deliveredTo(other.id)), disabled(await deliveredTo(app.id))], [1, 0])
  })

  test('gets nothing more once the integration has expired: no retry, no test and no replay', async () => {
    const { id } = await integration({ expiresAt: new Date(shop.clock.now().getTime() + 60_000).toISOString() })
    const endpoint = await endpointOf(id)
    await operator.change('POST', `/webhook-endpoints/${endpoint.id}/test`, { message: 'Hello' })
    await shop.work()
    const deliveries = async () =>
      (await operator.get(`/webhook-endpoints/${endpoint.id}/deliveries?limit=100`)).body.data.items
    const [waiting] = await deliveries()
    assert.deepEqual([waiting.status, waiting.attempts.length], ['retrying', 1])

    shop.clock.advance(3_600_000)
    await shop.work()
    const [ended] = await deliveries()
    assert.deepEqual([ended.status, ended.attempts.length], ['canceled', 1])
    const sent = await operator.send('POST', `/webhook-endpoints/${endpoint.id}/test`, { message: 'Hello' })
    assert.deepEqual([...codeOf(sent), sent.body.conflict?.currentState], [409, 'state_conflict', 'expired'])
    await shop.run(`update webhook_deliveries set status = 'dead' where id = $1`, [ended.id])
    const replay = await operator.send('POST', `/webhook-deliveries/${ended.id}/replay`, {})
    assert.deepEqual(codeOf(replay), [409, 'endpoint_disabled'])
  })

  test('of a store’s grant gets nothing more once the grant has reached its end: no retry, no test and no replay', async () => {
    const granted = await narrowedClient(shop, client.installationId, shop.storeId('books'))
    const endpoint = await opened(granted)
    const path = `/webhook-endpoints/${endpoint.id}`
    const sendTest = () => operator.send('POST', `${path}/test`, { message: 'Hello' })
    assert.equal((await sendTest()).status, 200)
    await shop.work()
    const delivery = async () => (await operator.get(`${path}/deliveries?limit=100`)).body.data.items[0]
    const waiting = await delivery()
    assert.deepEqual([waiting.status, waiting.attempts.length], ['retrying', 1])

    const end = new Date(shop.clock.now().getTime() + 60_000)
    await shop.run('update oauth_grants set ends_at = $1 where client_id = $2', [end, granted.app.clientId])
    shop.clock.advance(3_600_000)
    await shop.work()

    const ended = await delivery()
    assert.deepEqual([ended.status, ended.attempts.length], ['canceled', 1])
    const refused = await sendTest()
    assert.deepEqual([...codeOf(refused), refused.body.conflict?.currentState], [409, 'state_conflict', 'expired'])
    await shop.run("update webhook_deliveries set status = 'dead' where id = $1", [ended.id])
    const replay = await operator.send('POST', `/webhook-deliveries/${ended.id}/replay`, {})
    assert.deepEqual([...codeOf(replay), replay.body.conflict?.currentState], [409, 'endpoint_disabled', 'expired'])
  })
})
