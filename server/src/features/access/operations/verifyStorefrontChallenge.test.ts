import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { gate, PASSWORD, solve, wayInto } from '../../../../../test/support/store-access.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { hashPassword } from '../../../platform/auth/password-hash.ts'

let world: World
let other: World
let vault: ReturnType<typeof wayInto>
let maze: ReturnType<typeof wayInto>
before(async () => {
  world = await startWorld()
  other = await startWorld({ sharedWith: world })
  vault = wayInto('vault', world)
  maze = wayInto('maze', world)
  await world.import(['vault', 'maze', 'open'].map((slug) => storeLine(slug)))
  await gate(world, { slug: 'vault', mode: 'password', password: PASSWORD })
  await gate(world, { slug: 'maze', mode: 'challenge' }, [other])
})

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

/** Counts the responses by status or code. */
function tally(answers: readonly { status: number; body: { code?: string } }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = body.code ?? String(status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe('verifyStorefrontChallenge', () => {
  test('200 grants 12 hours for the right password, for the requested purpose', async () => {
    const { id } = await vault.challenge()
    const { status, body, headers } = await vault.verify({ challengeId: id, password: PASSWORD })
    assert.equal(status, 200)
    assert.equal(body.data.purpose, 'store_access')
    assert.equal(Date.parse(body.data.expiresAt) - world.clock.now().getTime(), 43_200_000)
    assert.match(body.data.accessToken, /^sfg_/)
    assert.equal(headers.get('cache-control'), 'private, no-store')
  })

  test("200 grants 30 minutes for work solved by ALTCHA's own solver", async () => {
    const challenge = await maze.challenge()
    const { status, body } = await maze.verify({ challengeId: challenge.id, solution: await solve(challenge) })
    assert.equal(status, 200)
    assert.equal(Date.parse(body.data.expiresAt) - world.clock.now().getTime(), 1_800_000)
  })

  test('200 on a node other than the one that issued the challenge', async () => {
    const challenge = await maze.challenge('register')
    const { status, body } = await wayInto('maze', other).verify({
      challengeId: challenge.id,
      solution: await solve(challenge),
    })
    assert.deepEqual([status, body.data?.purpose], [200, 'register'])
  })

  test('404 not_found: an unknown challenge and one of another store look the same', async () => {
    const { id } = await vault.challenge()
    const never = 'chl_01k5b7m2q8e9rtv3w4x5y6z7a8'
    assert.deepEqual(codeOf(await maze.verify({ challengeId: id, password: PASSWORD })), [404, 'not_found'])
    assert.deepEqual(codeOf(await vault.verify({ challengeId: never, password: PASSWORD })), [404, 'not_found'])
    assert.deepEqual(codeOf(await wayInto('nowhere', world).verify({ challengeId: id, password: PASSWORD })), [
      404,
      'not_found',
    ])
  })

  test('409 challenge_used: a solution works once', async () => {
    const challenge = await maze.challenge()
    const solution = await solve(challenge)
    assert.equal((await maze.verify({ challengeId: challenge.id, solution })).status, 200)
    assert.deepEqual(codeOf(await maze.verify({ challengeId: challenge.id, solution })), [409, 'challenge_used'])
  })

  test('409 challenge_used: of twelve concurrent submissions of one solution to two nodes, one gets a grant', async () => {
    const challenge = await maze.challenge()
    const solution = await solve(challenge)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        wayInto('maze', index % 2 ? other : world).verify({ challengeId: challenge.id, solution }),
      ),
    )
    const { '200': granted, challenge_used: used = 0, challenge_attempts_exceeded: exceeded = 0 } = tally(answers)
    assert.deepEqual([granted, used + exceeded], [1, 11])
  })

  test('holds no connection while guesses wait for their verification: other writes go first', async () => {
    const challenges = await Promise.all(Array.from({ length: 14 }, () => vault.challenge()))
    const ended: string[] = []
    const busy = Array.from({ length: 16 }, () => hashPassword('some other work'))
    const guesses = challenges.map(async ({ id }) => {
      const answer = await vault.verify({ challengeId: id, password: 'open barley' })
      ended.push('guess')
      return codeOf(answer)
    })
    await vault.challenge()
    ended.push('write')
    for (const answer of await Promise.all(guesses)) assert.deepEqual(answer, [400, 'challenge_failed'])
    await Promise.all(busy)
    assert.equal(ended[0], 'write')
  })

  test('503 unavailable: more guesses than can be verified soon are refused, and each is counted', async () => {
    const { id } = await vault.challenge()
    // The queue stays full until the guess is answered, however long that takes.
    let isAnswered = false
    const busy = Array.from({ length: 34 }, async () => {
      while (!isAnswered) await hashPassword('some other work')
    })
    const answer = await vault.verify({ challengeId: id, password: 'open barley' })
    isAnswered = true
    await Promise.all(busy)
    assert.deepEqual(codeOf(answer), [503, 'unavailable'])
    const again = await vault.verify({ challengeId: id, password: 'open barley' })
    assert.equal(again.body.params.attemptsLeft, 3)
  })

  test('400 challenge_expired: after five minutes, right or wrong', async () => {
    const [right, wrong, late] = [await vault.challenge(), await vault.challenge(), await vault.challenge()]
    world.clock.advance(299_999)
    assert.equal((await vault.verify({ challengeId: right.id, password: PASSWORD })).status, 200)
    world.clock.advance(1)
    for (const [{ id }, password] of [
      [wrong, 'open barley'],
      [late, PASSWORD],
    ] as const) {
      assert.deepEqual(codeOf(await vault.verify({ challengeId: id, password })), [400, 'challenge_expired'])
    }
  })

  test('429 challenge_attempts_exceeded: the right password after five wrong ones', async () => {
    const { id } = await vault.challenge()
    for (let left = 4; left >= 0; left -= 1) {
      const { status, body } = await vault.verify({ challengeId: id, password: 'open barley' })
      assert.deepEqual([status, body.code, body.params], [400, 'challenge_failed', { attemptsLeft: left }])
    }
    const late = await vault.verify({ challengeId: id, password: PASSWORD })
    assert.deepEqual(codeOf(late), [429, 'challenge_attempts_exceeded'])
    assert.equal(late.body.retry.advice, 'refresh_state')
  })

  test('429 challenge_attempts_exceeded: twelve concurrent wrong passwords on two nodes use five attempts', async () => {
    const { id } = await vault.challenge()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        wayInto('vault', index % 2 ? other : world).verify({ challengeId: id, password: 'open barley' }),
      ),
    )
    assert.deepEqual(tally(answers), { challenge_failed: 5, challenge_attempts_exceeded: 7 })
  })

  test('400 challenge_failed: the key of another counter, of another challenge, or of an easier challenge', async () => {
    const challenge = await maze.challenge()
    const elsewhere = await maze.challenge()
    const solved = JSON.parse(Buffer.from(await solve(elsewhere), 'base64').toString())
    const easier = { ...challenge.proofOfWork, parameters: { ...challenge.proofOfWork?.parameters, cost: 1 } }
    for (const claimed of [
      { solution: { counter: 1, derivedKey: '00'.repeat(32) } },
      solved,
      { challenge: easier, solution: { counter: 0, derivedKey: challenge.proofOfWork?.parameters.keyPrefix } },
    ]) {
      const solution = Buffer.from(JSON.stringify(claimed)).toString('base64')
      assert.deepEqual(codeOf(await maze.verify({ challengeId: challenge.id, solution })), [400, 'challenge_failed'])
    }
  })

  test('400 challenge_failed: a password store without a password admits no one', async () => {
    await world.import([storeLine('sealed', { accessMode: 'password' })])
    const sealed = wayInto('sealed', world)
    const { id } = await sealed.challenge()
    for (const password of ['this password is wrong', ' ']) {
      assert.deepEqual(codeOf(await sealed.verify({ challengeId: id, password })), [400, 'challenge_failed'])
    }
  })

  test('400 validation_failed: a submission of the wrong kind uses no attempt', async () => {
    const password = await vault.challenge()
    const work = await maze.challenge()
    const wrong = [
      [vault, { challengeId: password.id }, '/password'],
      [vault, { challengeId: password.id, solution: await solve(work) }, '/password'],
      [maze, { challengeId: work.id, password: PASSWORD }, '/solution'],
      [vault, { challengeId: password.id, password: PASSWORD, solution: await solve(work) }, '/solution'],
      [maze, { challengeId: work.id, password: PASSWORD, solution: await solve(work) }, '/password'],
      [maze, { challengeId: work.id, solution: 'bm8ganNvbg==' }, '/solution'],
      [
        maze,
        { challengeId: work.id, solution: Buffer.from('{"solution":{"counter":-1}}').toString('base64') },
        '/solution',
      ],
      [maze, { challengeId: work.id, solution: Buffer.from('null').toString('base64') }, '/solution'],
    ] as const
    for (const [way, body, pointer] of wrong) {
      const answer = await way.verify(body)
      assert.deepEqual(codeOf(answer), [400, 'validation_failed'])
      assert.equal(answer.body.details[0].pointer, pointer)
    }
    assert.equal((await vault.verify({ challengeId: password.id, password: PASSWORD })).status, 200)
    assert.equal((await maze.verify({ challengeId: work.id, solution: await solve(work) })).status, 200)
  })
})
