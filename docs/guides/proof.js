/**
 * Prints a DPoP proof (RFC 9449) for a request of a bound API key: node docs/guides/proof.js METHOD URL
 * The key is in VITRINE_KEY, the file of its private key in VITRINE_KEY_FILE.
 */
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'

const { VITRINE_KEY: key = '', VITRINE_KEY_FILE: file = '' } = process.env
const [method, url] = process.argv.slice(2)
const jwk = JSON.parse(readFileSync(file, 'utf8'))
const privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
const { kty, crv, x, y } = jwk

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

function proof(htm, htu, nonce) {
  const ath = createHash('sha256').update(key).digest('base64url')
  const claims = { htm, htu, ath, jti: randomUUID(), iat: Math.floor(Date.now() / 1000), nonce }
  const signed = `${encoded({ typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}

// A write needs a nonce of the server; every read returns one.
const identity = new URL('/api/v1/open/identity', url).href
const headers = { Authorization: `DPoP ${key}`, DPoP: proof('GET', identity) }
const answer = await fetch(identity, { headers })
if (!answer.ok) {
  console.error(await answer.text())
  console.error(
    `If it is about iat, set the clock: it is ${new Date().toUTCString()} here, ${answer.headers.get('date')} there.`,
  )
  process.exit(1)
}
process.stdout.write(proof(method, url, answer.headers.get('dpop-nonce') ?? undefined))
