import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventKindNames } from '@vitrine/contract'
import { refuses } from '../../../../../test/support/refuses.ts'
import { changed, disabled, type Endpoint, freeSlot, opened, subscription } from './endpoint.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T13:00:00Z')

const enabled = opened({
  id: 'whe_a',
  installationId: 'ins_a',
  environment: 'test',
  url: 'https://shop.example/hooks',
  events: ['*'],
  description: null,
  secretHint: 'k3Qs',
  now,
})
const states: Readonly<Record<Endpoint['status'], Endpoint>> = {
  enabled,
  paused: changed(enabled, { status: 'paused' }, now),
  disabled: disabled(enabled, 'failing', now)!,
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
    test(`that is ${from} can be enabled and paused, and is disabled where it listens`, () => {
      const endpoint = states[from]
      assert.equal(changed(endpoint, { status: 'enabled' }, later).status, enabling)
      assert.equal(changed(endpoint, { status: 'paused' }, later).status, pausing)
      assert.equal(changed(endpoint, { description: 'x' }, later).status, keeping)
      assert.equal(disabled(endpoint, 'gone', later)?.status ?? null, disabling)
    })
  }

  test('that is disabled says why and since when, until it is enabled', () => {
    const endpoint = states.disabled
    const kept = changed(endpoint, { description: 'x' }, later)
    assert(kept.status === 'disabled')
    assert.deepEqual([kept.disabledReason, kept.disabledAt], ['failing', now])
    assert.equal('disabledReason' in changed(endpoint, { status: 'enabled' }, later), false)
  })

  test('grows by one version with each change', () => {
    assert.deepEqual(
      [enabled.version, states.paused.version, states.disabled.version, changed(states.paused, {}, later).version],
      [1, 2, 2, 3],
    )
  })
})

describe('a subscription', () => {
  test('has each kind once, in the order of the contract', () => {
    assert.deepEqual(subscription(['webhook.test', 'order.created', 'webhook.test']), ['order.created', 'webhook.test'])
    assert.deepEqual(subscription([...eventKindNames].reverse()), eventKindNames)
  })

  test('is all of them where it has a star', () => assert.deepEqual(subscription(['order.created', '*']), ['*']))

  test('knows no other words', async () => {
    await refuses('unknown_event_type', () => subscription(['order.created', 'cart.created']))
  })
})

describe('the endpoints of an installation', () => {
  test('are sixteen in each environment', async () => {
    assert.deepEqual([freeSlot(0), freeSlot(15)], [1, 16])
    await refuses('endpoint_limit_reached', () => freeSlot(16))
  })
})
