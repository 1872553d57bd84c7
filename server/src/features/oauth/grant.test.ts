import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../test/support/refuses.ts'
import {
  type Code,
  type Grant,
  type RefreshToken,
  refreshTokenExpiry,
  validateCode,
  validateRefreshToken,
} from './grant.ts'
import { codeChallengeOf } from './tokens.ts'

const NOW = new Date('2026-05-04T12:00:00.000Z')
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const DAY = 86_400

/** @see RFC 7636, appendix B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'
const OTHER_JKT = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'

const grant: Grant = { id: 'gra', clientId: 'cli', scopes: ['catalog:read'], endsAt: after(30 * DAY), revokedAt: null }
const code: Code = {
  grant,
  redirectUri: 'https://app.example/callback',
  codeChallenge: CHALLENGE,
  dpopJkt: null,
  expiresAt: after(60),
  usedAt: null,
}
const request = { clientId: 'cli', redirectUri: code.redirectUri, codeChallenge: CHALLENGE, jkt: JKT }

test('the code challenge matches RFC 7636, appendix B', () => assert.equal(codeChallengeOf(VERIFIER), CHALLENGE))

describe('a code', () => {
  test('works until its last millisecond', () => {
    assert.equal(validateCode(code, request, undefined, NOW), 'exchange')
    assert.equal(validateCode(code, request, undefined, new Date(code.expiresAt.getTime() - 1)), 'exchange')
  })
  const used = { ...code, usedAt: NOW }
  const first = { jkt: JKT, rotatedAt: null }
  test('can be retried with the same key for 60 seconds', () => {
    for (const seconds of [0, 60]) assert.equal(validateCode(used, request, first, after(seconds)), 'retry')
  })
  test('revokes its grant if it is used again later, with another key, or after its refresh token was rotated', () => {
    assert.equal(validateCode(used, request, first, after(61)), 'revoke')
    assert.equal(validateCode(used, { ...request, jkt: OTHER_JKT }, first, NOW), 'revoke')
    assert.equal(validateCode(used, request, { ...first, rotatedAt: NOW }, NOW), 'revoke')
  })
  test('revokes nothing for a request that could never have exchanged it', async () => {
    for (const wrong of [
      { codeChallenge: CHALLENGE.toLowerCase() },
      { redirectUri: 'https://x.example/' },
      { clientId: 'other' },
    ]) {
      await refuses('oauth_invalid_grant', () => validateCode(used, { ...request, ...wrong }, first, NOW))
    }
  })
  const refused: readonly (readonly [string, Code | undefined, Partial<typeof request>, Date])[] = [
    ['unknown', undefined, {}, NOW],
    ['of another client', code, { clientId: 'other' }, NOW],
    ['expired', code, {}, after(60)],
    ['with another redirect URI', code, { redirectUri: `${code.redirectUri}/` }, NOW],
    ['with the wrong verifier', code, { codeChallenge: codeChallengeOf(`${VERIFIER.slice(0, -1)}l`) }, NOW],
    ['with its challenge as the verifier, as with plain', code, { codeChallenge: codeChallengeOf(CHALLENGE) }, NOW],
    ['bound to another key', { ...code, dpopJkt: OTHER_JKT }, {}, NOW],
    ['of a revoked grant', { ...code, grant: { ...grant, revokedAt: NOW } }, {}, NOW],
  ]
  for (const [what, stored, wrong, now] of refused) {
    test(`is refused: ${what}`, async () => {
      await refuses('oauth_invalid_grant', () => validateCode(stored, { ...request, ...wrong }, undefined, now))
    })
  }
})

describe('a refresh token', () => {
  const token: RefreshToken = { grant, jkt: JKT, expiresAt: after(7 * DAY), rotatedAt: null }
  const rotated = { ...token, rotatedAt: NOW }
  const mine = { clientId: 'cli', jkt: JKT }

  test('is rotated', () => assert.equal(validateRefreshToken(token, mine, false, NOW), 'rotate'))
  test('returns the same successor again for 60 seconds after its rotation', () => {
    assert.equal(validateRefreshToken(rotated, mine, false, after(60)), 'retry')
    assert.equal(validateRefreshToken(rotated, mine, false, after(60.001)), 'revoke')
  })
  test('revokes the family if its successor was already used', () =>
    assert.equal(validateRefreshToken(rotated, mine, true, after(1)), 'revoke'))

  const refused: readonly (readonly [string, RefreshToken | undefined, Partial<typeof mine>, Date])[] = [
    ['unknown', undefined, {}, NOW],
    ['of another client', token, { clientId: 'other' }, NOW],
    ['with another key, leaving the family intact', rotated, { jkt: OTHER_JKT }, after(3600)],
    ['idle for 7 days', token, {}, after(7 * DAY)],
    ['of a grant older than 30 days', { ...token, expiresAt: after(40 * DAY) }, {}, after(30 * DAY)],
    ['of a revoked grant', { ...token, grant: { ...grant, revokedAt: NOW } }, {}, NOW],
  ]
  for (const [what, stored, wrong, now] of refused) {
    test(`is refused: ${what}`, async () => {
      await refuses('oauth_invalid_grant', () => validateRefreshToken(stored, { ...mine, ...wrong }, false, now))
    })
  }

  test('expires after 7 days, and never after its grant', () => {
    assert.deepEqual(refreshTokenExpiry(grant.endsAt, NOW), after(7 * DAY))
    assert.deepEqual(refreshTokenExpiry(grant.endsAt, after(29 * DAY)), grant.endsAt)
  })
})
