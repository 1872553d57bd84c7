import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { storeLine } from '../../../../test/support/commerce/catalog.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { secretDeps } from '../../../../test/support/secrets.ts'
import { gate, PASSWORD, wayInto } from '../../../../test/support/store-access.ts'
import { startWorld, type World } from '../../../../test/support/world.ts'
import { rateLimitPolicies } from '../../platform/rate-limit/policy.ts'
import { rateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { loadSecrets } from '../../platform/secrets/server-secrets.ts'
import type { RequireGrant } from '../accounts/index.ts'
import { requireGrantFrom, storeGrants } from './index.ts'

let requireGrant: RequireGrant
const use = (token: string | null, purpose: 'register' | 'password_reset' = 'register') =>
  requireGrant(world.database.reader, { purpose, token, now: world.clock.now() })

let world: World
before(async () => {
  world = await startWorld()
  await world.import(['vault', 'open'].map((slug) => storeLine(slug)))
  const { values } = await world.database.transaction((tx) => loadSecrets(tx, secretDeps(world.clock)))
  const limiter = rateLimiter(world.database.reader, rateLimitPolicies())
  requireGrant = requireGrantFrom(storeGrants(values['store-access']), limiter)
})

describe('an operation that belongs to no store, such as registration', () => {
  beforeEach(() => gate(world, { slug: 'vault', mode: 'open', grantPurposes: ['register'] }))

  test('needs no grant unless an operator requires one', async () => {
    await use(null, 'password_reset')
    await gate(world, { slug: 'vault', mode: 'open', grantPurposes: [] })
    await use(null)
    await use('whatever')
  })

  test('refuses store_access_required without a grant, or with one for another purpose', async () => {
    const other = await wayInto('open', world).grant('password_reset')
    for (const token of [null, 'whatever', other]) {
      const { facts } = await refuses('store_access_required', () => use(token))
      assert.deepEqual(facts.params, { purpose: 'register' })
    }
  })

  test('accepts a grant of any active store until it expires', async () => {
    for (const slug of ['vault', 'open']) await use(await wayInto(slug, world).grant('register'))
    const token = await wayInto('open', world).grant('register')
    world.clock.advance(1_799_999)
    await use(token)
    world.clock.advance(1)
    await refuses('store_access_required', () => use(token))
  })

  test('accepts a grant five times, and then requires a new one', async () => {
    const token = await wayInto('open', world).grant('register')
    for (let count = 0; count < 5; count += 1) await use(token)
    await refuses('store_access_required', () => use(token))
    await use(await wayInto('open', world).grant('register'))
  })

  test("refuses a grant of a suspended store, or one issued before the store's access changed", async () => {
    const token = await wayInto('open', world).grant('register')
    await gate(world, { slug: 'open', mode: 'password', password: PASSWORD })
    await refuses('store_access_required', () => use(token))
    const fresh = await wayInto('open', world).grant('register')
    await use(fresh)
    await world.import([storeLine('open', { status: 'suspended' })])
    await refuses('store_access_required', () => use(fresh))
    await world.import([storeLine('open', { status: 'active' })])
  })
})
