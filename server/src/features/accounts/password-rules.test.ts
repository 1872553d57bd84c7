import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { commonPasswords } from './new-password.ts'
import { passwordFault } from './password-rules.ts'

let isCommon: Awaited<ReturnType<typeof commonPasswords>>
before(async () => {
  isCommon = await commonPasswords()
})

const faultOf = (password: string, email: string | null = null) => passwordFault(password, email, isCommon)

describe('a password', () => {
  test('is refused first if it has fewer than eight characters', () => {
    for (const password of ['', 'short', 'zebra42', '🦊🐙🦀🐳🦉🐝🦎'])
      assert.equal(faultOf(password), 'too_short', password)
    assert.equal(faultOf('zebra424'), null)
  })

  test('is refused if it is common, in upper or lower case', () => {
    for (const password of ['password', 'Iloveyou', 'ＰＡＳＳＷＯＲＤ', 'football1', 'trustno1']) {
      assert.equal(faultOf(password), 'too_common', password)
    }
  })

  test('is refused if it only repeats up to four characters', () => {
    for (const password of ['xxxxxxxx', 'qwqwqwqwqw', 'xyzwxyzw', '🦊🦊🦊🦊🦊🦊🦊🦊']) {
      assert.equal(faultOf(password), 'repetitive', password)
    }
    assert.equal(faultOf('fghjkfghjk'), null)
  })

  test('is refused if it is an ascending or descending sequence', () => {
    for (const password of ['hijklmnop', 'ponmlkjih', '98765432']) assert.equal(faultOf(password), 'sequence', password)
    assert.equal(faultOf('hijklmnoq'), null)
  })

  test('is refused if it is the email address or its local part', () => {
    assert.equal(faultOf('Ada.Example@Example.com', 'ada.example@example.com'), 'like_email')
    assert.equal(faultOf('ada.example', 'Ada.Example@example.com'), 'like_email')
    assert.equal(faultOf('ada.example', 'grace@example.com'), null)
  })

  test('needs no capitals, digits or symbols', () => {
    assert.equal(faultOf('correct horse battery staple'), null)
    assert.equal(faultOf('qzxwvtkj'), null)
  })
})
