import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { client as clientOf, proofKey } from '../support/client.ts'
import { type App, codeFor, type Poster, posterOf, registerApp, TOKEN, tokenProof } from '../support/pages/oauth.ts'
import { startWorld, type World } from '../support/world.ts'

const IDENTITY = '/api/v1/open/installation/identity'

let world: World
let nodes: readonly [World, World]
let posters: readonly [Poster, Poster]
before(async () => {
  world = await startWorld()
  const second = await startWorld({ sharedWith: world })
  nodes = [world, second]
  posters = [posterOf(world), posterOf(second)]
})

/** Sends concurrent requests, alternating between two nodes. */
function atOnce<Result>(times: number, ask: (poster: Poster, index: number) => Promise<Result>) {
  return Promise.all(Array.from({ length: times }, (_, index) => ask(posters[index % 2]!, index)))
}

/** Fetches the nonce first, so that the requests are really concurrent. */
async function fetchNonces(): Promise<string> {
  await posters[0].currentNonce()
  return posters[1].currentNonce()
}

async function withTokens(): Promise<{ app: App; access: string; refreshToken: string }> {
  const app = await registerApp(world)
  const { body } = await posters[0].exchange(app, await codeFor(world, app))
  return { app, access: body.access_token, refreshToken: body.refresh_token }
}

function identify(node: World, app: App, access: string) {
  const { origin, publicUrl, clock } = node
  return clientOf({ origin, publicUrl, clock, key: access, proof: app.proof }).get(IDENTITY)
}

describe('two nodes', () => {
  test('issue one refresh token for a code that its owner sends 8 times at once', async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app)
    await fetchNonces()
    const answers = await atOnce(8, ({ exchange }) => exchange(app, code))
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
    for (const node of nodes) assert.equal((await identify(node, app, answers[0]?.body.access_token)).status, 200)
  })

  test('issue tokens to one of 8 keys that send a code at once, and revoke them because the code was reused', async () => {
    const app = await registerApp(world)
    const code = await codeFor(world, app)
    const keys = await Promise.all(Array.from({ length: 8 }, proofKey))
    await fetchNonces()
    const answers = await atOnce(8, ({ exchange }, index) => exchange(app, code, {}, { proof: keys[index]! }))
    const issued = answers.filter(({ status }) => status === 200)
    assert.equal(issued.length, 1)
    for (const { status, body } of answers) if (status !== 200) assert.equal(body.error, 'invalid_grant')
    const owner = { ...app, proof: keys[answers.indexOf(issued[0]!)]! }
    for (const node of nodes) {
      assert.equal((await identify(node, owner, issued[0]?.body.access_token)).body.code, 'credential_revoked')
    }
  })

  test('return the same next token for two concurrent refreshes, and for 12', async () => {
    for (const times of [2, 12]) {
      const { app, refreshToken } = await withTokens()
      await fetchNonces()
      const answers = await atOnce(times, ({ refresh }) => refresh(app, refreshToken))
      for (const answer of answers) assert.equal(answer.status, 200, answer.text)
      assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 1)
      assert.equal((await posters[1].refresh(app, answers[0]?.body.refresh_token)).status, 200)
    }
  })

  test('accept a proof once out of 12 concurrent requests', async () => {
    const app = await registerApp(world)
    const nonce = await fetchNonces()
    const proofs = [await tokenProof(world, app.proof, TOKEN, { nonce })]
    const codes = await Promise.all(Array.from({ length: 12 }, () => codeFor(world, app)))
    const answers = await atOnce(12, ({ exchange }, index) => exchange(app, String(codes[index]), {}, { proofs }))
    assert.deepEqual(answers.map(({ status, body }) => (status === 200 ? 'taken' : body.details[0].code)).sort(), [
      ...Array(11).fill('replayed'),
      'taken',
    ])
  })

  test('share codes, tokens, nonces, families and revocations', async () => {
    const app = await registerApp(world)
    const [one, two] = posters
    const nonce = await one.currentNonce()
    const first = await two.exchange(app, await codeFor(world, app), {}, { nonce })
    assert.equal(first.status, 200, first.text)
    assert.equal((await identify(nodes[0], app, first.body.access_token)).status, 200)
    const second = await one.refresh(app, first.body.refresh_token)
    assert.equal((await two.refresh(app, first.body.refresh_token)).body.refresh_token, second.body.refresh_token)
    await two.revoke(app, second.body.refresh_token)
    for (const node of nodes) {
      assert.equal((await identify(node, app, first.body.access_token)).body.code, 'credential_revoked')
    }
    assert.equal((await one.refresh(app, second.body.refresh_token)).body.error, 'invalid_grant')
  })

  test('revoke a family when the other node gets an old refresh token', async () => {
    const { app, refreshToken } = await withTokens()
    const [one, two] = posters
    const second = (await one.refresh(app, refreshToken)).body
    const third = (await two.refresh(app, second.refresh_token)).body
    assert.equal((await one.refresh(app, refreshToken)).body.error, 'invalid_grant')
    assert.equal((await identify(nodes[1], app, third.access_token)).body.code, 'credential_revoked')
  })

  test('leave no working token after a concurrent refresh and revocation', async () => {
    const { app, refreshToken } = await withTokens()
    await fetchNonces()
    const [refreshed] = await Promise.all([posters[0].refresh(app, refreshToken), posters[1].revoke(app, refreshToken)])
    const successor = refreshed.body.refresh_token
    if (successor) assert.equal((await posters[1].refresh(app, successor)).body.error, 'invalid_grant')
    assert.equal((await posters[1].refresh(app, refreshToken)).body.error, 'invalid_grant')
  })
})
