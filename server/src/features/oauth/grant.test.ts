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

/** RFC 7636, appendix B. */
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
const said = { clientId: 'cli', redirectUri: code.redirectUri, codeChallenge: CHALLENGE, jkt: JKT }

test('the challenge of a verifier is that of RFC 7636, appendix B', () =>
  assert.equal(codeChallengeOf(VERIFIER), CHALLENGE))

describe('a code', () => {
  test('is redeemed until its last millisecond', () => {
    assert.equal(validateCode(code, said, NOW), 'redeem')
    assert.equal(validateCode(code, said, new Date(code.expiresAt.getTime() - 1)), 'redeem')
  })
  test('that was used ends its grant, whatever else is wrong with the request', () => {
    const used = { ...code, usedAt: NOW }
    assert.equal(validateCode(used, { ...said, codeChallenge: 'wrong', redirectUri: 'x' }, after(3600)), 'revoke')
  })
  const refused: readonly (readonly [string, Code | undefined, Partial<typeof said>, Date])[] = [
    ['nobody has given out', undefined, {}, NOW],
    ['another client shows', code, { clientId: 'other' }, NOW],
    ['has expired', code, {}, after(60)],
    ['comes with another redirect URI', code, { redirectUri: `${code.redirectUri}/` }, NOW],
    ['comes with the wrong verifier', code, { codeChallenge: codeChallengeOf(`${VERIFIER.slice(0, -1)}l`) }, NOW],
    [
      'comes with its challenge for a verifier, as plain would have it',
      code,
      { codeChallenge: codeChallengeOf(CHALLENGE) },
      NOW,
    ],
    ['is bound to another key', { ...code, dpopJkt: OTHER_JKT }, {}, NOW],
    ['belongs to a grant that was revoked', { ...code, grant: { ...grant, revokedAt: NOW } }, {}, NOW],
  ]
  for (const [what, held, wrong, now] of refused) {
    test(`that ${what} is refused`, async () => {
      await refuses('oauth_invalid_grant', () => validateCode(held, { ...said, ...wrong }, now))
    })
  }
})

describe('a refresh token', () => {
  const token: RefreshToken = { grant, jkt: JKT, expiresAt: after(7 * DAY), rotatedAt: null }
  const rotated = { ...token, rotatedAt: NOW }
  const mine = { clientId: 'cli', jkt: JKT }

  test('is rotated', () => assert.equal(validateRefreshToken(token, mine, false, NOW), 'rotate'))
  test('that was just rotated gets the same successor again, for 60 seconds', () => {
    assert.equal(validateRefreshToken(rotated, mine, false, after(60)), 'again')
    assert.equal(validateRefreshToken(rotated, mine, false, after(60.001)), 'revoke')
  })
  test('whose successor was used ends the family', () =>
    assert.equal(validateRefreshToken(rotated, mine, true, after(1)), 'revoke'))

  const refused: readonly (readonly [string, RefreshToken | undefined, Partial<typeof mine>, Date])[] = [
    ['nobody has given out', undefined, {}, NOW],
    ['another client shows', token, { clientId: 'other' }, NOW],
    ['another key shows, without harm to the family', rotated, { jkt: OTHER_JKT }, after(3600)],
    ['was idle for 7 days', token, {}, after(7 * DAY)],
    ['outlives its 30 days', { ...token, expiresAt: after(40 * DAY) }, {}, after(30 * DAY)],
    ['belongs to a grant that was revoked', { ...token, grant: { ...grant, revokedAt: NOW } }, {}, NOW],
  ]
  for (const [what, held, wrong, now] of refused) {
    test(`that ${what} is refused`, async () => {
      await refuses('oauth_invalid_grant', () => validateRefreshToken(held, { ...mine, ...wrong }, false, now))
    })
  }

  test('ends after 7 days, and never after its grant', () => {
    assert.deepEqual(refreshTokenExpiry(grant.endsAt, NOW), after(7 * DAY))
    assert.deepEqual(refreshTokenExpiry(grant.endsAt, after(29 * DAY)), grant.endsAt)
  })
})
