import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair } from 'jose'
import { proofKey } from '../support/client.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { CALLBACK, CHALLENGE, posterOf } from '../support/pages/oauth.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'

let shop: Shop
let folder: string
let env: Record<string, string>
let installation: string
before(async () => {
  shop = await startShop()
  folder = await temporaryFolder()
  const settings = { DATABASE_URL: shop.databaseUrl, DATA_DIR: folder, PUBLIC_URL: shop.publicUrl }
  env = settings
  await serveOperatorApi(settings)
  installation = await shop.installation({ storeSlug: 'ceramics' })
})

async function json(args: readonly string[], input?: string) {
  const ran = await command([...args, '--json'], { env, ...(input !== undefined && { input }) })
  assert.deepEqual([ran.code, ran.err], [0, ''])
  return JSON.parse(ran.out)
}

async function fails(args: readonly string[], code: number, reason: RegExp, input?: string) {
  const ran = await command(args, { env, ...(input !== undefined && { input }) })
  assert.deepEqual([ran.code, ran.out], [code, ''], ran.err)
  assert.match(ran.err, reason)
}

const create = () => ['oauth', 'client', 'create', '--installation', installation, '--redirect-uri']

describe('vitrine oauth', () => {
  test('registers an app, and prints a code on a line of its own, which the app redeems for tokens', async () => {
    const { clientId } = await json([...create(), CALLBACK, '--public'])
    assert.match(clientId, /^cli_/)
    const proof = await proofKey()
    const asked = ['--client', clientId, '--redirect-uri', CALLBACK, '--code-challenge', CHALLENGE]
    const { code, out } = await command(
      ['oauth', 'code', ...asked, '--dpop-jkt', proof.jkt, '--scopes', 'catalog:read,checkout:quote'],
      { env },
    )
    assert.equal(code, 0)
    assert.match(out, /^sfac_[0-9A-Za-z]{49}\n$/)
    // The command uses the system clock. The clock of the world is behind it, so the code has not expired there.
    const answer = await posterOf(shop).exchange({ clientId, installationId: installation, proof }, out.trim())
    assert.deepEqual([answer.status, answer.body.scope], [200, 'catalog:read checkout:quote'], answer.text)
  })

  test('lists grants, revokes one, and removes an app with its grants', async () => {
    const { clientId } = await json([...create(), CALLBACK, '--public'])
    const asked = ['--client', clientId, '--redirect-uri', CALLBACK, '--code-challenge', CHALLENGE]
    await json(['oauth', 'code', ...asked])
    const list = async () => {
      const grants: { id: string; clientId: string; standing: string }[] = await json(['oauth', 'grant', 'list'])
      return grants.filter((grant) => grant.clientId === clientId)
    }
    const [grant] = await list()
    assert.equal(grant?.standing, 'active')
    await json(['oauth', 'grant', 'revoke', String(grant?.id)])
    assert.equal((await list())[0]?.standing, 'revoked')
    await fails(['oauth', 'grant', 'revoke', 'gra_01k5b7m2q8e9rtv3w4x5y6z7a8'], 1, /There is no grant/)
    await json(['oauth', 'code', ...asked])
    assert.deepEqual(await json(['oauth', 'client', 'remove', clientId]), { id: clientId, endedGrants: 1 })
    assert.deepEqual(await list(), [])
  })

  test('registers an app that signs its requests, with its public keys', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const [file, secret] = [join(folder, 'keys.json'), join(folder, 'secret.json')]
    await writeFile(file, JSON.stringify({ keys: [await exportJWK(publicKey)] }))
    await writeFile(secret, JSON.stringify({ keys: [await exportJWK(privateKey)] }))
    assert.match((await json([...create(), CALLBACK, '--jwks', file])).clientId, /^cli_/)
    await fails([...create(), CALLBACK, '--jwks', secret], 1, /private key/)
    await fails([...create(), CALLBACK, '--jwks', file, '--public'], 2, /not both/)
  })

  test('explains an invalid redirect URI, installation, client and challenge', async () => {
    await fails([...create(), 'http://app.example/callback'], 1, /must be https/)
    await fails([...create(), 'https://app.example/#x'], 1, /fragment/)
    await fails(
      ['oauth', 'client', 'create', '--installation', 'ins_x', '--redirect-uri', CALLBACK],
      1,
      /no installation/,
    )
    const { clientId } = await json([...create(), CALLBACK])
    const code = ['oauth', 'code', '--redirect-uri', CALLBACK, '--code-challenge', CHALLENGE, '--client']
    await fails([...code, 'cli_unknown'], 1, /There is no client "cli_unknown"/)
    await fails([...code, clientId, '--scopes', 'admin'], 2, /There is no scope "admin"/)
    const other = [
      'oauth',
      'code',
      '--client',
      clientId,
      '--code-challenge',
      CHALLENGE,
      '--redirect-uri',
      `${CALLBACK}/`,
    ]
    await fails(other, 1, /must exactly match/)
  })
})

describe('vitrine staff create', () => {
  const staff = ['staff', 'create', '--store', 'ceramics', '--email', 'ada@ceramics.example', '--password-stdin']

  test('creates a staff account once, with a password that is hard to guess', async () => {
    await fails(staff, 1, /tried first|common/i, 'password123\n')
    assert.match((await json(staff, 'seven kettles on a shelf\n')).staffId, /^stf_/)
    await fails(staff, 1, /is already a staff member/, 'seven kettles on a shelf\n')
  })

  test('refuses an unknown store', () =>
    fails(
      staff.map((each) => (each === 'ceramics' ? 'nowhere' : each)),
      1,
      /There is no store "nowhere"/,
      'seven kettles\n',
    ))
})
