import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { CartRevokedEvent, eventKindNames, eventKinds } from './events.ts'
import { exampleOf } from './schemas/primitives.ts'

/** Typed off CONTRACT, Webhooks: the kinds. */
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
  it('are those of the contract, each with a sentence', () => {
    assert.deepEqual(eventKindNames, kinds)
    for (const kind of eventKindNames) assert.match(eventKinds[kind].description, /^[A-Z].*\.$/, kind)
  })

  it('show a body that its schema accepts, under the size of a delivery', () => {
    const example = exampleOf(CartRevokedEvent)
    assert.ok(Compile(CartRevokedEvent).Check(example))
    assert.ok(JSON.stringify(example).length < 20_480)
  })
})
