import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { exampleOf, type Operation, type OperationId, operations } from '@vitrine/contract'
import { rateLimitPolicies } from '../../server/src/platform/rate-limit/policy.ts'
import { pathOf, rows } from '../support/rows.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World
/** Two nodes on one database, with the limits of the contract. */
let nodes: readonly [World, World]
before(async () => {
  const limited = { environment: { RATE_LIMITS: '{}', TRUSTED_PROXIES: '1' } }
  world = await startWorld(limited)
  nodes = [world, await startWorld({ ...limited, sharedWith: world })]
})

const policies = rateLimitPolicies()
const limitedRows = rows.flatMap(([id, row]) => (row.limits ?? []).map((limit) => ({ id, row, ...limit })))

/** Calls a row with its example, on both nodes in turn. */
async function asks(id: OperationId, times: number, body: (index: number) => object) {
  const row = operations[id] as Operation
  const answers: { status: number; code: string; policy: string; afterMs: number }[] = []
  for (let index = 0; index < times; index += 1) {
    const example = { ...(row.body && (exampleOf(row.body) as object)), ...body(index) }
    const answer = await nodes[index % 2]!.anonymous.post(pathOf(row), example, { key: null })
    const { code, rateLimit, retry } = answer.body
    answers.push({ status: answer.status, code, policy: rateLimit?.policy, afterMs: retry?.afterMs })
  }
  return answers
}

describe('limits of one row', () => {
  test('apply to the rows the contract names, and to no others', () => {
    assert.deepEqual(
      limitedRows.map(({ id, policy, by }) => [id, policy, by]),
      [
        ['requestOfficialPasswordReset', 'reset-address', 'address'],
        ['requestOfficialPasswordReset', 'reset-account', 'account'],
        ['registerOfficialStorefrontCustomer', 'register', 'address'],
        ['verifyStorefrontChallenge', 'challenge-verify', 'address'],
        ['verifyStorefrontChallenge', 'challenge-verify-store', 'store'],
        ['createStorefrontChallenge', 'challenge-create', 'address'],
        ['replayInstallationWebhookDelivery', 'webhook-replay', 'installation'],
        ['exchangeOAuthToken', 'oauth-token', 'client'],
        ['revokeOAuthToken', 'oauth-token', 'client'],
      ],
    )
  })

  for (const { id, policy } of limitedRows.filter(({ by }) => by === 'address')) {
    test(`429 rate_limited: ${id} beyond ${policies[policy].limit} requests of one address, counted over all nodes`, async () => {
      const { burst } = policies[policy]
      // A different account each time, so that only the limit by address counts.
      const answers = await asks(id, burst + 1, (index) =>
        policy === 'reset-address' ? { email: `shopper-${index}@example.com` } : {},
      )
      assert.deepEqual(
        answers.slice(0, -1).filter((answer) => answer.status === 429),
        [],
      )
      const last = answers.at(-1)!
      assert.deepEqual([last.status, last.code, last.policy], [429, 'rate_limited', policy])
      assert.ok(last.afterMs > 0)
    })
  }

  test('429 quota_exceeded: a fourth request for one account in an hour, in any spelling and on any node', async () => {
    world.clock.advance(3_600_000)
    const spellings = ['ada@example.com', 'Ada@example.com', 'ADA@EXAMPLE.COM', 'ada@Example.com']
    const answers = await asks('requestOfficialPasswordReset', 4, (index) => ({ email: spellings[index] }))
    assert.deepEqual(
      answers.map(({ status }) => status === 429),
      [false, false, false, true],
    )
    const { code, policy } = answers[3]!
    assert.deepEqual([code, policy], ['quota_exceeded', 'reset-account'])
    const [other] = await asks('requestOfficialPasswordReset', 1, () => ({ email: 'grace@example.com' }))
    assert.notEqual(other?.status, 429)
  })

  test('429 rate_limited: 61 guesses at one store, from many addresses; another store is not limited', async () => {
    const { verifyStorefrontChallenge: row } = operations
    const guess = (store: string, index: number) =>
      nodes[index % 2]!.anonymous.post(pathOf(row as Operation, { store }), exampleOf(row.body), {
        key: null,
        headers: { 'x-forwarded-for': `203.0.113.${index % 50}` },
      })
    const { burst } = policies['challenge-verify-store']
    for (let index = 0; index < burst; index += 1) assert.equal((await guess('vault', index)).status, 404)
    const { status, body } = await guess('vault', burst)
    assert.deepEqual([status, body.code, body.rateLimit.policy], [429, 'rate_limited', 'challenge-verify-store'])
    assert.equal((await guess('maze', burst)).status, 404)
  })

  test('429 rate_limited: 61 token requests of one client from one address; another client is not limited', async () => {
    const { burst } = policies['oauth-token']
    const answers = await asks('exchangeOAuthToken', burst + 1, () => ({ client_id: 'cli_one' }))
    assert.deepEqual(new Set(answers.slice(0, -1).map(({ code }) => code)), new Set(['oauth_invalid_dpop_proof']))
    const { status, policy } = answers.at(-1)!
    assert.deepEqual([status, policy], [429, 'oauth-token'])
    const [other] = await asks('exchangeOAuthToken', 1, () => ({ client_id: 'cli_two' }))
    assert.equal(other?.status, 400)
  })

  test('429 rate_limited: 61 replays of one installation in a minute, with any of its keys', async () => {
    const { burst } = policies['webhook-replay']
    const first = await world.client()
    const keys = [first, await world.client({ installationId: first.installationId })] as const
    const replay = (client: (typeof keys)[number]) =>
      client.post(pathOf(operations.replayInstallationWebhookDelivery as Operation), {})
    for (let index = 0; index < burst; index += 1) assert.equal((await replay(keys[index % 2]!)).status, 404)
    const { status, body } = await replay(first)
    assert.deepEqual([status, body.code, body.rateLimit.policy], [429, 'rate_limited', 'webhook-replay'])
    assert.equal((await replay(await world.client())).status, 404)
  })
})
