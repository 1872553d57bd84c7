import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { proofKey } from '../../../../../test/support/client.ts'
import { type App, codeFor, posterOf, registerApp, works } from '../../../../../test/support/pages/oauth.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
let exchange: ReturnType<typeof posterOf>['exchange']
let refresh: ReturnType<typeof posterOf>['refresh']
let revoke: ReturnType<typeof posterOf>['revoke']
before(async () => {
  world = await startWorld()
  ;({ exchange, refresh, revoke } = posterOf(world))
})

async function withTokens(): Promise<{ app: App; access: string; refreshToken: string }> {
  const app = await registerApp(world)
  const { body } = await exchange(app, await codeFor(world, app))
  return { app, access: body.access_token, refreshToken: body.refresh_token }
}

describe('revokeOAuthToken', () => {
  test('200 for a refresh token, which revokes the whole grant', async () => {
    const { app, access, refreshToken } = await withTokens()
    const { status, body, headers } = await revoke(app, refreshToken)
    assert.deepEqual([status, body], [200, { data: { revoked: true }, revoked: true }])
    assert.match(String(headers.get('cache-control')), /no-store/)
    assert.equal(await works(world, app, access), false)
    assert.equal((await refresh(app, refreshToken)).body.error, 'invalid_grant')
  })

  test('200 without a proof: possession of the token is enough', async () => {
    const { app, access, refreshToken } = await withTokens()
    for (const token of [access, refreshToken]) {
      const { status } = await revoke(app, token, {}, { proofs: [] })
      assert.equal(status, 200)
      assert.equal(await works(world, app, access), false)
    }
    assert.equal((await refresh(app, refreshToken)).body.error, 'invalid_grant')
  })

  test('200 for an access token: only that token is revoked', async () => {
    const { app, access, refreshToken } = await withTokens()
    const other = (await refresh(app, refreshToken)).body
    assert.equal((await revoke(app, access, { token_type_hint: 'refresh_token' })).status, 200)
    assert.deepEqual([await works(world, app, access), await works(world, app, other.access_token)], [false, true])
    assert.equal((await refresh(app, other.refresh_token)).status, 200)
  })

  test('200 with the same body for a known, unknown, revoked or malformed token', async () => {
    const { app, refreshToken } = await withTokens()
    const answers = [await revoke(app, refreshToken), await revoke(app, refreshToken)]
    for (const token of [`${refreshToken.slice(0, -1)}x`, 'unknown', 'sfat_x']) answers.push(await revoke(app, token))
    for (const { status, text } of answers) assert.deepEqual([status, text], [200, answers[0]?.text])
  })

  test('400 oauth_invalid_request: no token', async () => {
    const { app } = await withTokens()
    const { status, body } = await revoke(app, '')
    assert.deepEqual([status, body.error, body.details[0].pointer], [400, 'invalid_request', '/token'])
  })

  test('400 oauth_unsupported_token_type: an API key', async () => {
    const { app } = await withTokens()
    const { key } = await world.client()
    assert.equal((await revoke(app, String(key))).body.error, 'unsupported_token_type')
  })

  test('400 oauth_invalid_dpop_proof: a proof of another key, and the token keeps working', async () => {
    const { app, access, refreshToken } = await withTokens()
    const proof = await proofKey()
    for (const token of [access, refreshToken]) {
      const { status, body } = await revoke(app, token, {}, { proof })
      assert.deepEqual([status, body.code], [400, 'oauth_invalid_dpop_proof'])
    }
    assert.equal(await works(world, app, access), true)
    assert.equal((await refresh(app, refreshToken)).status, 200)
  })

  test('400 oauth_use_dpop_nonce: no nonce', async () => {
    const { app, access } = await withTokens()
    assert.equal((await revoke(app, access, {}, { nonce: null })).body.error, 'use_dpop_nonce')
  })

  test('401 oauth_invalid_client: no client_id', async () => {
    const { app, access } = await withTokens()
    const { status, body } = await revoke(app, access, { client_id: '' })
    assert.deepEqual([status, body.code], [401, 'oauth_invalid_client'])
  })

  test("400 oauth_unauthorized_client: another client's token", async () => {
    const { app, access } = await withTokens()
    const other = { ...(await registerApp(world)), proof: app.proof }
    assert.equal((await revoke(other, access)).body.error, 'unauthorized_client')
    assert.equal(await works(world, app, access), true)
  })
})
