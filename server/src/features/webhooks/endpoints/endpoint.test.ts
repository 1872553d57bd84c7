import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventKindNames } from '@vitrine/contract'
import { refuses } from '../../../../../test/support/refuses.ts'
import { changeEndpoint, disableEndpoint, type Endpoint, freeSlot, newEndpoint, subscription } from './endpoint.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T13:00:00Z')

const enabled = newEndpoint({
  id: 'whe_a',
  ownerId: 'ins_a',
  environment: 'test',
  url: 'https://shop.example/hooks',
  events: ['*'],
  description: null,
  secretHint: 'k3Qs',
  now,
})
const states: Readonly<Record<Endpoint['status'], Endpoint>> = {
  enabled,
  paused: changeEndpoint(enabled, { status: 'paused' }, now),
  disabled: disableEndpoint(enabled, 'failing', now)!,
}

describe('an endpoint', () => {
  // biome-ignore format: a table is read by its columns
  const table = [
    //          enable     pause     keep        disable
    ['enabled',  'enabled', 'paused', 'enabled',  'disabled'],
    ['paused',   'enabled', 'paused', 'paused',   null      ],
    ['disabled', 'enabled', 'paused', 'disabled', null      ],
  ] as const
  for (const [from, enabling, pausing, keeping, disabling] of table) {
    test(`that is ${from} can be enabled and paused, and is disabled if it is enabled`, () => {
      const endpoint = states[from]
      assert.equal(changeEndpoint(endpoint, { status: 'enabled' }, later).status, enabling)
      assert.equal(changeEndpoint(endpoint, { status: 'paused' }, later).status, pausing)
      assert.equal(changeEndpoint(endpoint, { description: 'x' }, later).status, keeping)
      assert.equal(disableEndpoint(endpoint, 'gone', later)?.status ?? null, disabling)
    })
  }

  test('that is disabled has a reason and a time, until it is enabled', () => {
    const endpoint = states.disabled
    const kept = changeEndpoint(endpoint, { description: 'x' }, later)
    assert(kept.status === 'disabled')
    assert.deepEqual([kept.disabledReason, kept.disabledAt], ['failing', now])
    assert.equal('disabledReason' in changeEndpoint(endpoint, { status: 'enabled' }, later), false)
  })

  test('bumps its version with each change', () => {
    assert.deepEqual(
      [
        enabled.version,
        states.paused.version,
        states.disabled.version,
        changeEndpoint(states.paused, {}, later).version,
      ],
      [1, 2, 2, 3],
    )
  })
})

describe('a subscription', () => {
  test('has each type once, in the order of the contract', () => {
    assert.deepEqual(subscription(['webhook.test', 'order.created', 'webhook.test']), ['order.created', 'webhook.test'])
    assert.deepEqual(subscription([...eventKindNames].reverse()), eventKindNames)
  })

  test('with a star is all types', () => assert.deepEqual(subscription(['order.created', '*']), ['*']))

  test('has no unknown types', async () => {
    await refuses('unknown_event_type', () => subscription(['order.created', 'cart.created']))
  })
})

describe('the endpoints of an installation', () => {
  test('are at most sixteen per environment', async () => {
    const all = Array.from({ length: 16 }, (_, index) => index + 1)
    assert.deepEqual([freeSlot([]), freeSlot(all.slice(0, 15)), freeSlot([1, 3])], [1, 16, 2])
    await refuses('endpoint_limit_reached', () => freeSlot(all))
  })
})
