import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Accounts, startAccounts } from '../../../../test/support/commerce/accounts.ts'
import type { World } from '../../../../test/support/world.ts'
import { rateLimitPolicies } from '../../platform/rate-limit/policy.ts'
import { type RateLimiter, rateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { limitSignIn } from './sign-in.ts'

const MINUTE_MS = 60_000

let accounts: Accounts
let world: World
/** Two nodes on one database. */
let nodes: readonly RateLimiter[]
before(async () => {
  accounts = await startAccounts()
  ;({ world } = accounts)
  nodes = [1, 2].map(() => rateLimiter(world.database.reader, rateLimitPolicies()))
})

let tries = 0
const tryAs = (email: string, address: string) => {
  tries += 1
  return limitSignIn(nodes[tries % 2]!, { email, address, now: world.clock.now() })
}

describe('a sign-in', () => {
  test('needs the matching address and password, but ignores case and spaces in the address', async () => {
    await accounts.customer('ada@example.com', 'four words of mine')
    assert.equal((await accounts.signIn(' ADA@Example.com', 'four words of mine'))?.email, 'ada@example.com')
    assert.equal(await accounts.signIn('ada@example.com', 'Four words of mine'), null)
    assert.equal(await accounts.signIn('grace@example.com', 'four words of mine'), null)
  })

  test('is limited to ten attempts per account in 15 minutes, from any address and on any node', async () => {
    for (let count = 0; count < 10; count += 1) await tryAs('ada@example.com', `192.0.2.${count}`)
    await assert.rejects(tryAs('Ada@Example.com', '192.0.2.99'), { code: 'rate_limited' })
    await tryAs('grace@example.com', '192.0.2.99')
    world.clock.advance(1.5 * MINUTE_MS)
    await tryAs('ada@example.com', '192.0.2.99')
    await assert.rejects(tryAs('ada@example.com', '192.0.2.99'), { code: 'rate_limited' })
  })

  test('is limited to sixty attempts per IP address, for any accounts', async () => {
    world.clock.advance(15 * MINUTE_MS)
    for (let count = 0; count < 60; count += 1) await tryAs(`person${count}@example.com`, '198.51.100.7')
    await assert.rejects(tryAs('another@example.com', '198.51.100.7'), { code: 'rate_limited' })
    await tryAs('another@example.com', '198.51.100.8')
  })
})
