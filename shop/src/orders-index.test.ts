import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { VitrineClient } from '@vitrine/sdk'
import { WebhookVerificationError } from '@vitrine/sdk/webhooks'
import { openDatabase } from './database.ts'
import { ordersIndex } from './orders-index.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const URL = 'http://127.0.0.1:8083/webhooks/vitrine'
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const money = { amount: 1999, currency: 'EUR' }
const summary = (nth: number, customerId: string, version = 1) => ({
  id: `ord_${nth}`,
  number: `T-1000${nth}`,
  status: 'confirmed',
  fulfillmentStatus: version === 1 ? 'unfulfilled' : 'fulfilled',
  placedAt: `2026-11-0${nth}T10:00:00.000Z`,
  total: money,
  customerId,
  version,
})

/** A fake service with two pages of orders, which records the calls. */
function startIndex() {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-shop-'))
  folders.push(folder)
  const asked: string[] = []
  let version = 1
  const answers: Record<string, (input: { query?: { cursor?: string }; params?: { orderId: string } }) => unknown> = {
    listInstallationWebhooks: () => ({ result: { endpoints: [], next: null } }),
    createInstallationWebhook: () => ({ id: 'whe_1', secret: SECRET }),
    listStorefrontOrders: ({ query }) =>
      query?.cursor === 'two'
        ? { orders: [summary(1, 'cus_ada')], next: null }
        : {
            orders: [summary(3, 'cus_ada'), summary(2, 'cus_bob')],
            next: '/api/v1/open/storefront/orders?cursor=two',
          },
    getStorefrontOrder: ({ params }) => {
      const { total, customerId, ...order } = summary(Number(params?.orderId.slice(4)), 'cus_ada', version)
      return { ...order, totals: { total }, customer: { id: customerId } }
    },
  }
  const call = async (operation: string, input: object = {}) => {
    asked.push(operation)
    return answers[operation]?.(input) ?? assert.fail(operation)
  }
  const client = {
    call,
    async *iterate(operation: string) {
      let cursor: string | undefined
      do {
        const page = await call(operation, cursor === undefined ? {} : { query: { cursor } })
        const { orders, next } = page as { orders: object[]; next: string | null }
        yield* orders
        cursor = next?.split('cursor=')[1]
      } while (cursor !== undefined)
    },
  } as unknown as VitrineClient
  const open = () => ordersIndex(openDatabase(folder), client, URL)
  const isAt = (next: number) => {
    version = next
  }
  return { index: open(), open, asked, isAt }
}

function signed(orderId: string, secret = SECRET): Request {
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'order.updated',
    timestamp: new Date().toISOString(),
    apiVersion: 'v1',
    environment: 'test',
    sequence: 2,
    data: { orderId },
  })
  const at = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${body}`).digest('base64')
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` }
  return new Request(URL, { method: 'POST', body, headers })
}

describe('the index of orders', () => {
  test('has the orders of each customer after it has read the list once, newest first', async () => {
    const { index } = startIndex()
    await index.start()
    assert.deepEqual(
      index.ofCustomer('cus_ada').map(({ id }) => id),
      ['ord_3', 'ord_1'],
    )
    assert.deepEqual(
      index.some(['ord_2', 'ord_unknown']).map(({ id }) => id),
      ['ord_2'],
    )
  })

  test('subscribes before it reads the list, and does neither again after a restart', async () => {
    const { index, open, asked } = startIndex()
    await index.start()
    assert.deepEqual(asked, [
      'listInstallationWebhooks',
      'createInstallationWebhook',
      'listStorefrontOrders',
      'listStorefrontOrders',
    ])
    await open().start()
    assert.equal(asked.length, 4)
  })

  test('updates an order after a verified webhook, and ignores an older state that arrives late', async () => {
    const { index, isAt } = startIndex()
    await index.start()
    isAt(2)
    await index.receive(signed('ord_1'))
    isAt(1)
    await index.receive(signed('ord_1'))
    assert.equal(index.some(['ord_1'])[0]?.fulfillmentStatus, 'fulfilled')
  })

  test('rejects a webhook with a wrong signature', async () => {
    const { index } = startIndex()
    await index.start()
    const forged = signed('ord_1', `whsec_${Buffer.alloc(32, 8).toString('base64')}`)
    await assert.rejects(index.receive(forged), WebhookVerificationError)
  })
})
