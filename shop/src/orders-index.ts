import type { DatabaseSync } from 'node:sqlite'
import type { Money, Order, VitrineClient } from '@vitrine/sdk'
import { webhookVerifier } from '@vitrine/sdk/webhooks'

const EVENTS = ['order.created', 'order.updated', 'order.canceled', 'order.fulfilled'] as const

/** The summary of an order in the list. */
export interface IndexedOrder {
  readonly id: string
  readonly number: string
  readonly status: Order['status']
  readonly fulfillmentStatus: Order['fulfillmentStatus']
  readonly placedAt: string
  readonly total: Money
  readonly customerId?: string
  readonly version: number
}

/**
 * An index of orders by customer, so that "Your orders" never reads the whole list. It is filled from the list once, then by
 * webhooks, and can be deleted at any time.
 */
export function ordersIndex(database: DatabaseSync, client: VitrineClient, webhookUrl: string) {
  const upsert = database.prepare(
    `insert into orders (id, customer_id, placed_at, version, summary) values (?, ?, ?, ?, ?)
     on conflict (id) do update set version = excluded.version, summary = excluded.summary
     where excluded.version > orders.version`,
  )
  const ofCustomer = database.prepare(
    'select summary from orders where customer_id = ? order by placed_at desc limit 100',
  )
  const byId = database.prepare('select summary from orders where id = ?')
  const read = database.prepare('select value from settings where name = ?')
  const write = database.prepare(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const setting = (name: string) => read.get(name)?.value as string | undefined
  const parse = (row: Record<string, unknown>) => JSON.parse(row.summary as string) as IndexedOrder

  function add({ id, number, status, fulfillmentStatus, placedAt, total, customerId, version }: IndexedOrder): void {
    const kept = { id, number, status, fulfillmentStatus, placedAt, total, customerId, version }
    upsert.run(id, customerId ?? null, placedAt, version, JSON.stringify(kept))
  }

  /** Reads the whole list once. Later changes arrive as events. */
  async function rebuild(): Promise<void> {
    for await (const order of client.iterate('listStorefrontOrders')) add(order)
    write.run('indexed', 'yes')
  }

  /** Creates the webhook endpoint, unless this database has one for the URL. */
  async function subscribe(): Promise<void> {
    if (setting('webhook.url') === webhookUrl) return
    const { result } = await client.call('listInstallationWebhooks')
    const old = result.endpoints.find(({ url }) => url === webhookUrl)
    // The secret of an endpoint is shown only once. An endpoint whose secret is not in this database gets a new one.
    const endpoint = old
      ? await client.call('updateInstallationWebhook', { params: { id: old.id }, body: { rotateSecret: 'now' } })
      : await client.call('createInstallationWebhook', {
          body: { url: webhookUrl, events: [...EVENTS], description: 'Orders of the example shop' },
        })
    if (!endpoint.secret) throw new Error('The service did not return the secret of the webhook endpoint.')
    write.run('webhook.secret', endpoint.secret)
    write.run('webhook.url', webhookUrl)
  }

  return {
    /** Subscribes before it reads the list, so that no order is missed in between. */
    async start(): Promise<void> {
      await subscribe()
      if (setting('indexed') === undefined) await rebuild()
    },
    /** Receives a webhook. The event only has the order ID: the order is read from the service. */
    async receive(request: Request): Promise<void> {
      const secret = setting('webhook.secret')
      if (secret === undefined) throw new Error('There is no webhook endpoint yet.')
      const event = await webhookVerifier({ secret }).verify(request)
      const orderId = 'orderId' in event.data ? event.data.orderId : undefined
      if (orderId !== undefined) await this.refresh(orderId)
    },
    /** Reads an order and stores its summary. */
    async refresh(orderId: string) {
      const order = await client.call('getStorefrontOrder', { params: { orderId } })
      add({ ...order, total: order.totals.total, customerId: order.customer.id })
      return order
    },
    ofCustomer: (customerId: string) => ofCustomer.all(customerId).map(parse),
    some: (ids: readonly string[]) =>
      ids.flatMap((id) => {
        const row = byId.get(id)
        return row ? [parse(row)] : []
      }),
  }
}

export type OrdersIndex = ReturnType<typeof ordersIndex>
