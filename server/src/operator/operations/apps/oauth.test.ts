import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { beforeCommit } from '../../../../../test/support/before-commit.ts'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import {
  CALLBACK,
  CHALLENGE,
  codeFor,
  narrowedClient,
  posterOf,
  registerApp,
} from '../../../../../test/support/pages/oauth.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import type { AuthorizationRequest } from '../../../features/oauth/authorization-request.ts'
import { findClient } from '../../../features/oauth/client-store.ts'
import { authorizationServer, consent, revokeGrantsOfApprover } from '../../../features/oauth/index.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { disableOperator } from '../../door/account-store.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
})

const approve = statement('test.approve_grant', 'update oauth_grants set approved_by = $2 where client_id = $1')
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]
const items = async (path: string) => (await operator.get(path)).body.data.items
async function approved() {
  world.clock.advance(1000)
  const app = await registerApp(world)
  await codeFor(world, app, { scopes: ['catalog:read'] })
  return app
}

/** An app with a grant that a new operator approved. */
async function approvedByOperator(name: string) {
  const who = { email: `${name}@operator.example`, password: 'a long enough pass phrase' }
  const { id: operatorId } = await operator.change('POST', '/operators', { ...who, role: 'manager' })
  const { headers } = await (await operatorClient(world, {})).send('POST', '/sessions', who)
  const client = await operatorClient(world, { cookie: headers.getSetCookie()[0]!.split(';')[0]! })
  const { clientId } = await registerApp(world)
  await client.change('POST', `/oauth-clients/${clientId}/codes`, { redirectUri: CALLBACK, codeChallenge: CHALLENGE })
  return { operatorId, clientId, client }
}

describe('apps', () => {
  test('are removed with their grants and tokens, at once', async () => {
    await world.import([storeLine('removed')])
    const { id: storeId } = (await operator.get('/stores/removed')).body.data
    const [kept, ended] = [
      await narrowedClient(world, await world.installation(), storeId),
      await narrowedClient(world, await world.installation(), storeId),
    ]
    const removed = await operator.change('DELETE', `/oauth-clients/${ended.app.clientId}`)
    assert.deepEqual(removed, { status: 'removed', endedGrants: 1 })

    const statusOf = async (client: typeof kept) => (await client.get('/api/v1/open/identity')).status
    assert.deepEqual([await statusOf(kept), await statusOf(ended)], [200, 401])
    assert.deepEqual(await items(`/oauth-grants?clientId=${ended.app.clientId}`), [])
    const { status } = await posterOf(world).refresh(ended.app, ended.refreshToken)
    assert.equal(status, 401)
    const again = await operator.send('DELETE', `/oauth-clients/${ended.app.clientId}`)
    assert.deepEqual(codeOf(again), [404, 'not_found'])
  })

  test('are registered as public or with public keys, and listed newest first', async () => {
    const installationId = await world.installation()
    const body = { installationId, redirectUris: [CALLBACK] }
    const open = await operator.change('POST', '/oauth-clients', body)
    assert.deepEqual([open.authMethod, open.redirectUris, open.grantCount], ['none', [CALLBACK], 0])
    world.clock.advance(1000)
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: '2026-03' }
    const signing = await operator.change('POST', '/oauth-clients', { ...body, jwks: { keys: [key] } })
    assert.deepEqual([signing.authMethod, signing.keyIds], ['private_key_jwt', ['2026-03']])
    const path = `/oauth-clients?installationId=${installationId}`
    assert.deepEqual(
      (await items(path)).map(({ id }: { id: string }) => id),
      [signing.id, open.id],
    )
    const { nextCursor } = (await operator.get(`${path}&limit=1`)).body.data
    assert.deepEqual(
      (await items(`${path}&limit=1&cursor=${nextCursor}`)).map(({ id }: { id: string }) => id),
      [open.id],
    )
    const foreign = await operator.get(`/oauth-clients?cursor=${nextCursor}`)
    assert.deepEqual(codeOf(foreign), [400, 'invalid_cursor'])
  })

  test('with an invalid redirect URI or a private key are refused with a message', async () => {
    const installationId = await world.installation()
    const insecure = { installationId, redirectUris: ['http://app.example/callback'] }
    const refused = await operator.send('POST', '/oauth-clients', insecure)
    assert.equal(refused.status, 400)
    assert.match(refused.body.details[0].message, /must be https/)
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', d: 'x' }
    const body = { installationId, redirectUris: [CALLBACK], jwks: { keys: [key] } }
    const leaked = await operator.send('POST', '/oauth-clients', body)
    assert.deepEqual([...codeOf(leaked), leaked.body.details[0].pointer], [400, 'unknown_field', '/jwks/keys/0/d'])
  })
})

describe('grants', () => {
  test('are listed by installation and by app, newest first', async () => {
    const [first, second] = [await approved(), await approved()]
    const clientsOf = async (query: string) =>
      (await items(`/oauth-grants${query}`)).map(({ clientId }: { clientId: string }) => clientId)
    assert.deepEqual((await clientsOf('')).slice(0, 2), [second.clientId, first.clientId])
    assert.deepEqual(await clientsOf(`?installationId=${first.installationId}`), [first.clientId])
    const [grant] = await items(`/oauth-grants?clientId=${second.clientId}`)
    assert.deepEqual([grant.standing, grant.scopes, grant.approvedBy], ['active', ['catalog:read'], 'operator'])
    assert.deepEqual(codeOf(await operator.get('/oauth-grants?cursor=eyJ9.abc')), [400, 'invalid_cursor'])
  })

  test('end with their code if the app does not exchange it', async () => {
    const [left, exchanged] = [await registerApp(world), await registerApp(world)]
    await codeFor(world, left)
    const code = await codeFor(world, exchanged)
    assert.equal((await posterOf(world).exchange(exchanged, code)).status, 200)
    world.clock.advance(60_000)
    const shownFor = async ({ clientId, installationId }: typeof left) => {
      const [grant] = await items(`/oauth-grants?clientId=${clientId}`)
      const [app] = await items(`/oauth-clients?installationId=${installationId}`)
      return [grant.standing, grant.endsAt > world.clock.now().toISOString(), app.grantCount]
    }
    assert.deepEqual(await shownFor(left), ['ended', false, 0])
    assert.deepEqual(await shownFor(exchanged), ['active', true, 1])
    const { endedGrants } = await operator.change('DELETE', `/oauth-clients/${left.clientId}`)
    assert.equal(endedGrants, 0)
  })

  test('are not approved by an operator who is disabled at the same time', async () => {
    const { operatorId, client } = await approvedByOperator('quitting')
    const { clientId } = await registerApp(world)
    const answer = await beforeCommit(
      world.database,
      async (tx) => {
        disableOperator(tx, operatorId, world.clock.now())
        await revokeGrantsOfApprover(tx, operatorId, world.clock.now())
      },
      () =>
        client.send('POST', `/oauth-clients/${clientId}/codes`, { redirectUri: CALLBACK, codeChallenge: CHALLENGE }),
    )
    assert.deepEqual(codeOf(answer), [403, 'role_insufficient'])
    assert.deepEqual(await items(`/oauth-grants?clientId=${clientId}`), [])
  })

  test('end with the member of staff who approves them while they are removed', async () => {
    await world.import([storeLine('leaving')])
    const { id: storeId } = (await operator.get('/stores/leaving')).body.data
    const who = { email: 'lea@store.example', password: 'a long sentence of lea' }
    const { id } = await operator.change('POST', '/stores/leaving/staff', who)
    const { clientId } = await registerApp(world)
    const client = (await findClient(world.database.reader, clientId)) ?? assert.fail('registered')
    const request: AuthorizationRequest = {
      clientId,
      redirectUri: CALLBACK,
      scopes: ['catalog:read'],
      state: null,
      codeChallenge: CHALLENGE,
      dpopJkt: null,
      signInAgain: false,
    }
    const staff = { id, email: who.email, storeId, storeSlug: 'leaving' }
    const context = { ids: world.ids, randomness: testRandomness(), now: world.clock.now() }
    const deps = { server: authorizationServer(world) }
    const { status } = await beforeCommit(
      world.database,
      (tx) => consent(tx, { request, client, staff, isOtherStore: false }, deps, context),
      () => operator.send('DELETE', `/stores/leaving/staff/${id}`),
    )
    assert.equal(status, 200)
    const [grant] = await items(`/oauth-grants?clientId=${clientId}`)
    assert.equal(grant.standing, 'revoked')
  })

  test('end at once with the member of staff who approved them', async () => {
    await world.import([storeLine('staffed')])
    const { id: storeId } = (await operator.get('/stores/staffed')).body.data
    const who = { email: 'sam@store.example', password: 'a long sentence of sam' }
    const { id: staffId } = await operator.change('POST', '/stores/staffed/staff', who)
    const [kept, ended] = [
      await narrowedClient(world, await world.installation(), storeId),
      await narrowedClient(world, await world.installation(), storeId),
    ]
    await world.database.transaction((tx) => {
      return tx.change(approve, [ended.app.clientId, staffId])
    })
    const statusOf = async (client: typeof kept) => (await client.get('/api/v1/open/identity')).status
    assert.deepEqual([await statusOf(kept), await statusOf(ended)], [200, 200])

    await operator.change('DELETE', `/stores/staffed/staff/${staffId}`)

    assert.deepEqual([await statusOf(kept), await statusOf(ended)], [200, 401])
    const [grant] = await items(`/oauth-grants?clientId=${ended.app.clientId}`)
    assert.equal(grant.standing, 'revoked')
    const { body } = await posterOf(world).refresh(ended.app, ended.refreshToken)
    assert.equal(body.error, 'invalid_grant')
  })

  test('end at once with the operator who approved them: disabled, or no longer allowed to approve apps', async () => {
    const [disabled, demoted, kept] = [
      await approvedByOperator('ada'),
      await approvedByOperator('bea'),
      await approvedByOperator('cem'),
    ]
    const [grant] = await items(`/oauth-grants?clientId=${kept.clientId}`)
    assert.equal(grant.approvedBy, 'cem@operator.example')

    const after = await operator.change('PATCH', `/operators/${disabled.operatorId}`, { status: 'disabled' })
    assert.equal(after.status, 'disabled')
    await operator.change('PATCH', `/operators/${demoted.operatorId}`, { role: 'read_only' })
    await operator.change('PATCH', `/operators/${kept.operatorId}`, { role: 'owner' })

    const standingOf = async ({ clientId }: { clientId: string }) =>
      (await items(`/oauth-grants?clientId=${clientId}`))[0].standing
    assert.deepEqual(await Promise.all([disabled, demoted, kept].map(standingOf)), ['revoked', 'revoked', 'active'])
    const entries: { after: { status: string; endedGrants?: number } }[] = await items(
      '/audit-log?operation=updateOperator&limit=100',
    )
    assert.equal(entries.find((each) => each.after.status === 'disabled')?.after.endedGrants, 1)
  })

  test('are revoked one by one, and keep their first revocation time', async () => {
    const app = await approved()
    const other = await approved()
    const [{ id }] = await items(`/oauth-grants?clientId=${app.clientId}`)
    const revoked = await operator.change('POST', `/oauth-grants/${id}/revoke`, {})
    assert.deepEqual([revoked.standing, revoked.revokedBecause], ['revoked', 'revoked'])
    world.clock.advance(1000)
    const again = await operator.change('POST', `/oauth-grants/${id}/revoke`, {})
    assert.equal(again.revokedAt, revoked.revokedAt)
    const [untouched] = await items(`/oauth-grants?clientId=${other.clientId}`)
    assert.equal(untouched.standing, 'active')
    const [client] = await items(`/oauth-clients?installationId=${app.installationId}`)
    assert.equal(client.grantCount, 0)
    const absent = await operator.send('POST', '/oauth-grants/gra_01k5b7m2q8e9rtv3w4x5y6z7a8/revoke', {})
    assert.deepEqual(codeOf(absent), [404, 'not_found'])
  })
})
