import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { eventBody, eventKindNames, eventKinds } from './events.ts'
import { exampleOf } from './schemas/primitives.ts'

/** The kinds, typed from docs/reference/rules.md. */
const kinds = [
  'checkout.session.created',
  'checkout.session.completed',
  'checkout.session.canceled',
  'checkout.session.expired',
  'order.created',
  'order.updated',
  'order.canceled',
  'order.fulfilled',
  'order.cancellation.requested',
  'order.cancellation.decided',
  'after_sales.requested',
  'after_sales.updated',
  'cart.revoked',
  'catalog.product.updated',
  'catalog.product.deleted',
  'webhook.endpoint.disabled',
  'webhook.test',
]

describe('event kinds', () => {
  it('are those of the contract, each with a summary', () => {
    assert.deepEqual(eventKindNames, kinds)
    for (const kind of eventKindNames) assert.match(eventKinds[kind].description, /^[A-Z].*\.$/, kind)
  })

  it('have an example body that its schema accepts and that fits a delivery', () => {
    for (const kind of eventKindNames) {
      const example = exampleOf(eventBody(kind))
      assert.ok(Compile(eventBody(kind)).Check(example), kind)
      assert.ok(JSON.stringify(example).length < 20_480)
    }
  })
})
