import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashPassword, matchesPassword } from './password-hash.ts'

describe('a password', () => {
  test('is stored as salted argon2id with the cost of the contract', async () => {
    const [one, two] = await Promise.all([hashPassword('open sesame'), hashPassword('open sesame')])
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.notEqual(one, two)
  })

  test('matches in any Unicode form, and no other one does', async () => {
    const kept = await hashPassword('Öffne dich')
    assert.equal(await matchesPassword(kept, 'Öffne dich'.normalize('NFD')), true)
    assert.equal(await matchesPassword(kept, 'öffne dich'), false)
    assert.equal(await matchesPassword(kept, ''), false)
  })

  test('never matches an account without a password', async () => {
    assert.equal(await matchesPassword(null, 'no account has this password'), false)
  })
})
