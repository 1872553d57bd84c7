import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RefusalCode } from '@vitrine/contract'
import { refuses } from '../../../../test/support/refuses.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { makeApiKey } from './api-key.ts'
import {
  checkCredential,
  principalOf,
  readAuthorization,
  requireScopes,
  type StoredCredential,
} from './authenticate.ts'

const KEY = makeApiKey('test', systemRandomness())
const NOW = new Date('2026-05-04T12:00:00.000Z')
const JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'
const unbound: StoredCredential = {
  type: 'api_key',
  id: 'key_01k5b7m2q8e9rtv3w4x5y6z7a8',
  display: 'sfk_test_Ab12…wXyZ',
  createdAt: NOW,
  installationId: 'ins_01k5b7m2q8e9rtv3w4x5y6z7a8',
  installationStatus: 'active',
  storeId: null,
  narrowedTo: null,
  environment: 'test',
  scopes: ['catalog:read'],
  jkt: null,
  expiresAt: null,
  revokedAt: null,
  productionActivated: false,
  origins: [],
  returnUrls: [],
}
const bearer = { scheme: 'Bearer', token: KEY } as const
const dpop = { scheme: 'DPoP', token: KEY } as const

describe('the Authorization header', () => {
  test('is parsed with its scheme in any case and any number of spaces', () => {
    assert.deepEqual(readAuthorization(`Bearer ${KEY}`), bearer)
    assert.deepEqual(readAuthorization(`bEARER   ${KEY}`), bearer)
    assert.deepEqual(readAuthorization(`dpop ${KEY}`), dpop)
  })

  const refused: readonly (readonly [string, string | undefined, RefusalCode])[] = [
    ['that is absent', undefined, 'credential_missing'],
    ['that is empty', '', 'credential_missing'],
    ['without a scheme', KEY, 'credential_malformed'],
    ['without a credential', 'Bearer', 'credential_malformed'],
    ['without a credential but with a space', 'Bearer ', 'credential_malformed'],
    ['with another scheme', `Basic ${KEY}`, 'credential_malformed'],
    ['with a scheme that merely begins like ours', `Bearerx ${KEY}`, 'credential_malformed'],
    ['with more than one credential', `Bearer ${KEY} ${KEY}`, 'credential_malformed'],
    ['with a list of credentials', `Bearer ${KEY}, DPoP ${KEY}`, 'credential_malformed'],
    ['with a credential of another form', 'Bearer hello', 'credential_invalid'],
    ['with a wrong checksum', `Bearer ${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`, 'credential_invalid'],
  ]
  for (const [what, header, code] of refused) {
    test(`${what} is ${code}, without a database read`, async () =>
      void (await refuses(code, () => readAuthorization(header))))
  }

  test('is parsed in linear time', () => {
    const started = performance.now()
    for (const text of [`Bearer${' '.repeat(60_000)}`, `${'x'.repeat(60_000)} `, ` ${' x'.repeat(30_000)}`]) {
      assert.throws(() => readAuthorization(text))
    }
    assert(performance.now() - started < 2000)
  })
})

describe('a credential', () => {
  const judge = (change: Partial<StoredCredential>, presented: typeof bearer | typeof dpop = bearer) =>
    checkCredential(presented, { ...unbound, ...change }, NOW)

  test('passes: unbound as Bearer, bound as DPoP', () => {
    assert.equal(judge({}).id, unbound.id)
    assert.equal(judge({ jkt: JKT }, dpop).id, unbound.id)
  })

  test('that is unknown is invalid', async () =>
    void (await refuses('credential_invalid', () => checkCredential(bearer, undefined, NOW))))

  test('that is bound is not accepted as Bearer', async () =>
    void (await refuses('credential_invalid', () => judge({ jkt: JKT }, bearer))))

  test('that is not bound is not accepted as DPoP', async () =>
    void (await refuses('credential_invalid', () => judge({}, dpop))))

  test('expires at its expiry and not before', async () => {
    judge({ expiresAt: new Date(NOW.getTime() + 1) })
    await refuses('credential_expired', () => judge({ expiresAt: NOW }))
  })

  test('is invalid once revoked, even by a node whose clock is ahead', async () => {
    for (const revokedAt of [NOW, new Date(NOW.getTime() + 60_000)]) {
      await refuses('credential_revoked', () => judge({ revokedAt }))
    }
  })

  test('of a suspended installation is refused', async () =>
    void (await refuses('installation_suspended', () => judge({ installationStatus: 'suspended' }))))

  test('for live is refused until the readiness proofs exist, with the blocker', async () => {
    const { facts } = await refuses('capability_blocked', () => judge({ environment: 'live' }))
    assert.deepEqual(facts.params, {
      capability: 'production_activation',
      blocker: 'external_readiness_not_proven',
    })
    judge({ environment: 'live', productionActivated: true })
  })

  test('is checked in order: revoked, expired, binding, suspended, blocked', async () => {
    const everything: Partial<StoredCredential> = {
      revokedAt: NOW,
      expiresAt: NOW,
      jkt: JKT,
      installationStatus: 'suspended',
      environment: 'live',
    }
    const order: readonly (readonly [RefusalCode, Partial<StoredCredential>])[] = [
      ['credential_revoked', { revokedAt: null }],
      ['credential_expired', { expiresAt: null }],
      ['credential_invalid', { jkt: null }],
      ['installation_suspended', { installationStatus: 'active' }],
      ['capability_blocked', { environment: 'test' }],
    ]
    let wrong = everything
    for (const [code, cure] of order) {
      await refuses(code, () => judge(wrong))
      wrong = { ...wrong, ...cure }
    }
    judge(wrong)
  })
})

describe('a principal', () => {
  test('contains what features may know of a credential', () => {
    assert.deepEqual(principalOf({ ...unbound, jkt: JKT, storeId: 'store_01k5b7m2q8e9rtv3w4x5y6z7a8' }), {
      installationId: unbound.installationId,
      storeId: 'store_01k5b7m2q8e9rtv3w4x5y6z7a8',
      narrowedTo: null,
      environment: 'test',
      scopes: ['catalog:read'],
      senderConstrained: true,
      jkt: JKT,
      returnUrls: [],
      credential: { type: 'api_key', id: unbound.id, display: unbound.display, createdAt: NOW, expiresAt: null },
    })
  })

  test('needs every scope of an operation, which the refusal names', async () => {
    const principal = principalOf(unbound)
    requireScopes(principal, [])
    requireScopes(principal, ['catalog:read'])
    const { facts } = await refuses('insufficient_scope', () =>
      requireScopes(principal, ['catalog:read', 'checkout:quote']),
    )
    assert.deepEqual(facts.params, { scopes: ['catalog:read', 'checkout:quote'] })
    assert.match(facts.headers?.['www-authenticate'] ?? '', /scope="catalog:read checkout:quote"/)
  })
})
