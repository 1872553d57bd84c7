import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { gate, PASSWORD, wayInto } from '../../../../../test/support/store-access.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const config = (slug: string) => wayInto(slug, world).config()

let world: World
before(async () => {
  world = await startWorld()
  await world.import([
    ...['vault', 'maze', 'open'].map((slug) => storeLine(slug)),
    storeLine('gone', { status: 'suspended' }),
  ])
})

describe('getStoreAccessConfig', () => {
  const work = { challengeKinds: ['proof_of_work'], grantSeconds: 1800 }
  const optional = [
    { purpose: 'register', grantRequired: false, ...work },
    { purpose: 'password_reset', grantRequired: false, ...work },
  ]

  test('200 lists no store_access purpose for an open store', async () => {
    const { status, body } = await config('open')
    assert.equal(status, 200)
    assert.deepEqual(
      [body.data.mode, body.data.purposes, body.data.header, body.data.limits],
      ['open', optional, 'X-Store-Access', { challengeSeconds: 300, attemptsMax: 5 }],
    )
  })

  test('200 lists the challenge kinds of each purpose, with a new ETag after the operator changes them', async () => {
    const before = await config('vault')
    await gate(world, { slug: 'vault', mode: 'password', password: PASSWORD, grantPurposes: ['register'] })
    const after = await config('vault')
    assert.deepEqual(after.body.data.purposes, [
      { purpose: 'store_access', grantRequired: true, challengeKinds: ['password'], grantSeconds: 43_200 },
      { purpose: 'register', grantRequired: true, ...work },
      optional[1],
    ])
    assert.notEqual(before.headers.get('etag'), after.headers.get('etag'))
    await gate(world, { slug: 'maze', mode: 'challenge' })
    const { body } = await config('maze')
    assert.deepEqual(body.data.purposes[0], { purpose: 'store_access', grantRequired: true, ...work })
  })

  test('404 not_found: a suspended store looks like a missing one', async () => {
    for (const slug of ['gone', 'never-was']) {
      const { status, body } = await config(slug)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
})
