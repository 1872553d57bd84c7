import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeFor, posterOf, registerApp } from '../../../../../test/support/oauth.ts'
import { startWorld } from '../../../../../test/support/world.ts'

const world = await startWorld()
const { exchange } = posterOf(world)

describe('exchangeOAuthToken', () => {
  test('200 gives tokens for a code, at the top level as well', async () => {
    const app = await registerApp(world)
    const { status, body } = await exchange(app, await codeFor(world, app))
    assert.equal(status, 200)
    const { data, ...mirrored } = body
    assert.deepEqual(mirrored, data)
    assert.deepEqual([data.token_type, data.expires_in], ['DPoP', 600])
  })
})
