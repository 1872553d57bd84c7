import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { gate, PASSWORD, wayInto } from '../../../../../test/support/store-access.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const into = (slug: string) => wayInto(slug, world)

let world: World
before(async () => {
  world = await startWorld()
  await world.import([
    ...['vault', 'maze', 'open'].map((slug) => storeLine(slug)),
    storeLine('gone', { status: 'suspended' }),
  ])
  await gate(world, { slug: 'vault', mode: 'password', password: PASSWORD })
  await gate(world, { slug: 'maze', mode: 'challenge' })
})

describe('createStorefrontChallenge', () => {
  test('200 issues a password challenge with five minutes and five attempts', async () => {
    const challenge = await into('vault').challenge()
    assert.deepEqual(
      [challenge.kind, challenge.purpose, challenge.attemptsMax, challenge.proofOfWork],
      ['password', 'store_access', 5, undefined],
    )
    assert.equal(Date.parse(challenge.expiresAt) - world.clock.now().getTime(), 300_000)
  })

  test('200 issues a new proof-of-work challenge each time', async () => {
    const [one, two] = [await into('maze').challenge(), await into('maze').challenge()]
    assert.equal(one.kind, 'proof_of_work')
    assert.notEqual(one.proofOfWork?.parameters.nonce, two.proofOfWork?.parameters.nonce)
    assert.notEqual(one.proofOfWork?.signature, two.proofOfWork?.signature)
  })

  test('200 issues proof of work for register and password_reset in every store mode', async () => {
    for (const slug of ['vault', 'maze', 'open']) {
      for (const purpose of ['register', 'password_reset'] as const) {
        const challenge = await into(slug).challenge(purpose)
        assert.deepEqual([challenge.kind, challenge.purpose], ['proof_of_work', purpose])
      }
    }
  })

  test('400 validation_failed: a kind that the store does not support, with the supported ones', async () => {
    const { status, body } = await into('vault').create({ kind: 'proof_of_work', purpose: 'store_access' })
    assert.deepEqual([status, body.code], [400, 'validation_failed'])
    assert.deepEqual(
      [body.details[0].pointer, body.details[0].message],
      ['/kind', 'Kinds for this store and purpose: password.'],
    )
  })

  test('400 validation_failed: an open store needs no grant', async () => {
    const { status, body } = await into('open').create({ purpose: 'store_access' })
    assert.deepEqual([status, body.code, body.details[0].pointer], [400, 'validation_failed', '/purpose'])
  })

  test('404 not_found: a suspended store looks like a missing one', async () => {
    for (const slug of ['gone', 'never-was']) {
      const { status, body } = await into(slug).create({ purpose: 'register' })
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
})
