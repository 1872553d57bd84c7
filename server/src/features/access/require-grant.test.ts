import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { storeLine } from '../../../../test/support/catalog.ts'
import { gate, PASSWORD, wayInto } from '../../../../test/support/gate.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { startWorld, type World } from '../../../../test/support/world.ts'
import { loadSecrets } from '../../platform/secrets/server-secrets.ts'
import type { RequireGrant } from '../accounts/index.ts'
import { requireGrantFrom, storeGrants } from './index.ts'

const unused = { bytes: (length: number) => Buffer.alloc(length) }

let demand: RequireGrant
const asks = (token: string | null, purpose: 'register' | 'password_reset' = 'register') =>
  demand(world.database.reader, { purpose, token, now: world.clock.now() })

let world: World
before(async () => {
  world = await startWorld()
  await world.import(['vault', 'open'].map((slug) => storeLine(slug)))
  const secrets = await world.database.transaction((tx) => loadSecrets(tx, unused))
  demand = requireGrantFrom(storeGrants(secrets['store-access']))
})

describe('what belongs to no store, such as to register', () => {
  beforeEach(() => gate(world, { slug: 'vault', mode: 'open', grantPurposes: ['register'] }))

  test('needs no grant where no operator demands one', async () => {
    await asks(null, 'password_reset')
    await gate(world, { slug: 'vault', mode: 'open', grantPurposes: [] })
    await asks(null)
    await asks('whatever')
  })

  test('is refused store_access_required without a grant, and with one that is for something else', async () => {
    const other = await wayInto('open', world).grant('password_reset')
    for (const token of [null, 'whatever', other]) {
      const { facts } = await refuses('store_access_required', () => asks(token))
      assert.deepEqual(facts.params, { purpose: 'register' })
    }
  })

  test('is done with a grant of any active store, until it ends', async () => {
    for (const slug of ['vault', 'open']) await asks(await wayInto(slug, world).grant('register'))
    const token = await wayInto('open', world).grant('register')
    world.clock.advance(1_799_999)
    await asks(token)
    world.clock.advance(1)
    await refuses('store_access_required', () => asks(token))
  })

  test('is refused with a grant of a store that was closed since, or whose way in has changed', async () => {
    const token = await wayInto('open', world).grant('register')
    await gate(world, { slug: 'open', mode: 'password', password: PASSWORD })
    await refuses('store_access_required', () => asks(token))
    const fresh = await wayInto('open', world).grant('register')
    await asks(fresh)
    await world.import([storeLine('open', { status: 'suspended' })])
    await refuses('store_access_required', () => asks(fresh))
    await world.import([storeLine('open', { status: 'active' })])
  })
})
