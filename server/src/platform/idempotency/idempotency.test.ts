import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { waitsForLock } from '../../../../test/support/before-commit.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { connectionProxy } from '../../../../test/support/network/connection-proxy.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { Environment } from '../../kernel/environment.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import type { Principal } from '../http/handler.ts'
import { type Database, openDatabase, statement } from '../postgres/index.ts'
import {
  type Claim,
  claimKey,
  fingerprintOf,
  readIdempotencyKey,
  storedResponse,
  storeResponse,
  withoutSecrets,
} from './idempotency.ts'

describe('an idempotency key', () => {
  const taken: readonly (readonly [string, string])[] = [
    ['k', 'k'],
    ['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['!~#,;=/', '!~#,;=/'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['"quoted"', 'quoted'],
    ['"a\\"b\\\\c"', 'a"b\\c'],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    ['"half', '"half'],
    ['half"', 'half"'],
    ['a"b"c', 'a"b"c'],
  ]
  for (const [header, key] of taken) {
    test(`is parsed from ${header.slice(0, 40)}`, () => assert.equal(readIdempotencyKey([header]), key))
  }

  test('is the same with and without quotes', () => {
    assert.equal(readIdempotencyKey(['"order-7"']), readIdempotencyKey(['order-7']))
  })

  const refused: readonly (readonly [string, readonly string[], string])[] = [
    ['that is empty', [''], 'wrong_format'],
    ['of 256 characters', ['x'.repeat(256)], 'wrong_format'],
    ['of 256 characters in quotes', [`"${'x'.repeat(256)}"`], 'wrong_format'],
    ['with a space', ['a b'], 'wrong_format'],
    ['with a space in quotes', ['"a b"'], 'wrong_format'],
    ['that is empty in quotes', ['""'], 'wrong_format'],
    ['with other letters', ['schlüssel'], 'wrong_format'],
    ['with a control character', ['a\x7f'], 'wrong_format'],
    ['sent twice', ['a', 'a'], 'not_unique'],
  ]
  for (const [what, values, code] of refused) {
    test(`${what} is refused, with the place`, async () => {
      const { facts } = await refuses('idempotency_key_invalid', () => readIdempotencyKey(values))
      const [detail] = facts.details ?? []
      assert.deepEqual([detail?.in, detail?.pointer, detail?.code], ['header', 'Idempotency-Key', code])
    })
  }

  test('is required', async () => void (await refuses('idempotency_key_required', () => readIdempotencyKey([]))))
})

describe('a fingerprint', () => {
  const of = (operation: string, params: object, body: unknown) =>
    fingerprintOf(operation, params as never, body as never)
  const one = of('addItem', { cartId: 'a' }, { skuId: 'x', quantity: 1 })

  test('does not depend on how the body is written', () => {
    assert.deepEqual(of('addItem', { cartId: 'a' }, { quantity: 1, skuId: 'x' }), one)
    assert.deepEqual(of('addItem', { cartId: 'a' }, JSON.parse('{ "quantity": 1.0e0, "skuId": "\\u0078" }')), one)
  })

  test('differs with the operation, the path and the body', () => {
    const others = [
      of('setItem', { cartId: 'a' }, { skuId: 'x', quantity: 1 }),
      of('addItem', { cartId: 'b' }, { skuId: 'x', quantity: 1 }),
      of('addItem', { cartId: 'a' }, { skuId: 'x', quantity: 2 }),
      of('addItem', { cartId: 'a' }, { skuId: 'x' }),
      of('addItem', { cartId: 'a' }, null),
    ]
    for (const other of others) assert(!other.equals(one))
  })
})

describe('a claim', () => {
  const clock = testClock()
  const randomness = systemRandomness()
  const count = statement<{ count: bigint }>('test.count_proofs', 'select count(*) from dpop_proofs')
  let database: Database
  let url: string
  before(async () => {
    ;({ database, url } = await testDatabase())
  })

  function claimOf(
    change: { key?: string; installationId?: string; environment?: Environment; body?: object } = {},
  ): Claim {
    const { key = 'k', installationId = 'ins_a', environment = 'test', body = {} } = change
    return {
      principal: { installationId, environment } as Principal,
      operationId: 'addPublicCartItem',
      key,
      fingerprint: fingerprintOf('addItem', {}, body as never),
      proofHash: randomness.bytes(32),
      proofExpiresAt: clock.now(),
      now: clock.now(),
    }
  }
  /** Claims the key, and stores an answer if it has none yet. */
  const answering = (claim: Claim, answer: string, on: Database = database) =>
    on.transaction(async (tx) => {
      const claimed = await claimKey(tx, claim)
      const first = await storedResponse(tx, claimed, claim)
      if (first) return first.toString()
      storeResponse(tx, claim, claimed, Buffer.from(answer))
      return answer
    })

  test('succeeds once, and then replays the first response byte for byte', async () => {
    assert.equal(await answering(claimOf({ key: 'once' }), 'first ü'), 'first ü')
    assert.equal(await answering(claimOf({ key: 'once' }), 'second'), 'first ü')
  })

  test('with another request is refused', async () => {
    await answering(claimOf({ key: 'reused' }), 'first')
    await refuses('idempotency_key_reused', () =>
      answering(claimOf({ key: 'reused', body: { quantity: 2 } }), 'second'),
    )
  })

  test('is refused while another request holds the key, and succeeds once that one has failed', async () => {
    const failed = database.transaction(async (tx) => {
      await claimKey(tx, claimOf({ key: 'busy' }))
      await refuses('idempotency_in_progress', () => answering(claimOf({ key: 'busy' }), 'second'))
      throw new Error('gave up')
    })
    await assert.rejects(failed, /gave up/)
    assert.equal(await answering(claimOf({ key: 'busy' }), 'second'), 'second')
  })

  test('waits while another session creates the partition of its day', async (t) => {
    const { database: own } = await testDatabase(t)
    const create = statement('test.hold_new_day', "select pg_advisory_xact_lock(hashtext('idempotency_answers'), 0)")
    await answering(claimOf({ key: 'makes the day' }), 'first', own)

    let waiting: Promise<string> | undefined
    let ended = false
    await own.transaction(async (tx) => {
      await tx.rows(create)
      waiting = answering(claimOf({ key: 'waits' }), 'second', own)
      void waiting.then(() => {
        ended = true
      })
      while (!(await waitsForLock(own))) assert(!ended, 'the claim waits')
    })
    assert.equal(await waiting, 'second')
  })

  test('of another installation or environment is another key', async () => {
    assert.equal(await answering(claimOf({ key: 'shared' }), 'a'), 'a')
    assert.equal(await answering(claimOf({ key: 'shared', installationId: 'ins_b' }), 'b'), 'b')
    assert.equal(await answering(claimOf({ key: 'shared', environment: 'live' }), 'live'), 'live')
  })

  test('claims its proof once, even if the request is refused', async () => {
    const before = (await database.reader.row(count))?.count ?? 0n
    await answering(claimOf({ key: 'proof' }), 'first')
    const wrong = claimOf({ key: 'proof', body: { quantity: 2 } })
    await refuses('idempotency_key_reused', () => answering(wrong, 'second'))
    const { facts } = await refuses('invalid_dpop_proof', () => answering({ ...wrong, key: 'other' }, 'third'))
    assert.equal(facts.details?.[0]?.code, 'replayed')
    assert.equal((await database.reader.row(count))?.count, before + 2n)
  })

  test('that fails with an internal error releases the proof', async () => {
    const claim = claimOf({ key: 'fault' })
    const failed = database.transaction(async (tx) => {
      await claimKey(tx, claim)
      throw new Error('a bug')
    })
    await assert.rejects(failed)
    assert.equal(await answering(claim, 'done'), 'done')
  })

  test('whose COMMIT gets no answer has one response, and a refusal keeps its proof', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url })
    t.after(async () => {
      await remote.close()
      await proxy.close()
    })
    for (const fault of ['before', 'after'] as const) {
      const claim = claimOf({ key: `lost ${fault}` })
      void proxy.failNextCommit(fault)
      assert.equal(await answering(claim, 'first', remote), 'first')
      assert.equal(await answering(claimOf({ key: claim.key }), 'second'), 'first')

      const reused = claimOf({ key: claim.key, body: { quantity: 2 } })
      void proxy.failNextCommit(fault)
      await refuses('idempotency_key_reused', () => answering(reused, 'third', remote))
      await refuses('invalid_dpop_proof', () => answering(reused, 'fourth'))
    }
  })

  test('whose COMMIT was lost is not repeated if another attempt has answered since: that answer is replayed', async (t) => {
    const proxy = await connectionProxy(url)
    const remote = openDatabase({ url: proxy.url })
    t.after(async () => {
      await remote.close()
      await proxy.close()
    })
    const cut = proxy.failNextCommit('before')
    const lost = answering(claimOf({ key: 'overtaken' }), 'lost', remote)
    await cut
    proxy.refuse(true)
    proxy.cutAll()
    const overtakes = async (): Promise<string> =>
      answering(claimOf({ key: 'overtaken' }), 'later').catch((error) => {
        if (error.code === 'idempotency_in_progress') return overtakes()
        throw error
      })
    assert.equal(await overtakes(), 'later')
    proxy.refuse(false)

    assert.equal(await lost, 'later')
  })

  const lateAt = new Date(clock.now().getTime() - (clock.now().getTime() % 86_400_000) - 1)
  const earlyAt = new Date(lateAt.getTime() + 2)

  test('on either side of midnight has one response', async () => {
    const late = { ...claimOf({ key: 'midnight' }), now: lateAt }
    assert.equal(await answering(late, 'late'), 'late')
    assert.equal(await answering({ ...claimOf({ key: 'midnight' }), now: earlyAt }, 'early'), 'late')
    assert.equal(await answering({ ...claimOf({ key: 'backwards' }), now: earlyAt }, 'early'), 'early')
    assert.equal(await answering({ ...claimOf({ key: 'backwards' }), now: lateAt }, 'late'), 'early')
  })

  test('on either side of midnight at once has one response for all', async () => {
    const tried = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        answering({ ...claimOf({ key: 'race at midnight' }), now: index % 2 ? lateAt : earlyAt }, `answer ${index}`),
      ),
    )
    const answers = new Set(tried.filter((each) => each.status === 'fulfilled').map((each) => each.value))
    assert.equal(answers.size, 1)
    for (const each of tried) if (each.status === 'rejected') assert.equal(each.reason.code, 'idempotency_in_progress')
    const kept = statement<{ count: bigint }>(
      'test.count_midnight',
      `select count(*) from idempotency_keys where key = 'race at midnight'`,
    )
    assert.equal((await database.reader.row(kept))?.count, 1n)
  })

  test('of a previous version replays the answer in its row', async () => {
    const claim = claimOf({ key: 'of old' })
    const old = statement(
      'test.old_answer',
      `insert into idempotency_keys (environment, installation_id, key, fingerprint, status, answer, created_at)
       values ('test', 'ins_a', 'of old', $1, 200, convert_to('as it was', 'UTF8'), $2)`,
    )
    await database.transaction(async (tx) => tx.write(old, [claim.fingerprint, claim.now]))
    assert.equal(await answering(claim, 'second'), 'as it was')
  })

  test('creates the partition of its day if it is missing', async () => {
    const far = new Date(clock.now().getTime() + 99 * 86_400_000)
    assert.equal(await answering({ ...claimOf({ key: 'far' }), now: far }, 'first'), 'first')
    assert.equal(await answering(claimOf({ key: 'far' }), 'second'), 'first')
  })

  test('of one key by twenty requests at once has one response for all', async () => {
    const tried = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => answering(claimOf({ key: 'race' }), `answer ${index}`)),
    )
    const answers = new Set(tried.filter((each) => each.status === 'fulfilled').map((each) => each.value))
    assert.equal(answers.size, 1)
    for (const each of tried) if (each.status === 'rejected') assert.equal(each.reason.code, 'idempotency_in_progress')
  })
})

describe('the stored copy of a response that showed a secret', () => {
  const stored = (data: object) => {
    const response = Buffer.from(JSON.stringify({ data }))
    return JSON.parse(withoutSecrets(response, { token: 'tokenState' }).toString())
  }

  test('omits the secret, marks it as already shown, and keeps all other members', () =>
    assert.deepEqual(stored({ id: 'a', token: 'the secret', tokenState: 'shown', at: 'noon' }), {
      data: { id: 'a', tokenState: 'already_shown', at: 'noon' },
    }))

  test('keeps the state if no secret was shown', () =>
    assert.deepEqual(stored({ id: 'a', tokenState: 'unchanged' }), { data: { id: 'a', tokenState: 'unchanged' } }))
})
