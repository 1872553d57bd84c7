import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { startShop } from '../../../../test/support/commerce/shop.ts'
import { OPERATOR_TOKEN } from '../../../../test/support/operator-token.ts'

let origin: string
before(async () => {
  origin = await (await startShop()).openOperator()
})

const HTML = '<html><head></head><body style="color:red"><script>alert(1)</script></body></html>'
const post = (headers: Readonly<Record<string, string>>) =>
  fetch(`${origin}/mail-frame`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: `html=${HTML}`,
  })
const signedIn = { authorization: `Bearer ${OPERATOR_TOKEN}` }

describe('the frame of a mail', () => {
  test('has the inline styles of the mail, and neither script, forms nor an origin', async () => {
    const answer = await post(signedIn)
    assert.equal(await answer.text(), HTML)
    const policy = answer.headers.get('content-security-policy') ?? ''
    assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline';/)
    assert.doesNotMatch(policy, /script-src|allow-/)
  })

  test('is only for operators, on pages of the console', async () => {
    assert.equal((await post({})).status, 401)
    assert.equal((await post({ ...signedIn, origin: 'https://elsewhere.example' })).status, 403)
    assert.equal((await post({ ...signedIn, origin: 'null' })).status, 403)
  })

  test('leaves the console itself without inline styles', async () => {
    const policy = (await fetch(`${origin}/mailbox`)).headers.get('content-security-policy') ?? ''
    assert.match(policy, /style-src 'self';/)
    assert.doesNotMatch(policy, /unsafe/)
  })
})
