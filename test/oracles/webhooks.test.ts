import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import type { WebhookSignatureFixture } from '@vitrine/contract'
import { type WebhookHeaders, WebhookVerificationError, webhookVerifier } from '@vitrine/sdk'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { signatureHeaders } from '../../server/src/features/webhooks/endpoints/signing.ts'
import { codePoints } from '../support/code-points.ts'
import { opened, WEBHOOKS } from '../support/commerce/webhook-endpoints.ts'
import { startWorld } from '../support/world.ts'

/** The event, or that the verifier rejected it. */
type Verification = { readonly event: unknown } | 'refused'
type Verify = (secret: string, body: Buffer, headers: Record<string, string>, now: Date) => Promise<Verification>

/** Other verifiers use the system clock. */
function stock(Verifier: typeof Webhook | typeof SvixWebhook): Verify {
  return async (secret, body, headers, now) => {
    mock.timers.enable({ apis: ['Date'], now })
    try {
      new Verifier(secret).verify(body, headers)
      return { event: JSON.parse(body.toString()) }
    } catch (error) {
      assert.equal((error as Error).constructor.name, 'WebhookVerificationError', String(error))
      return 'refused'
    } finally {
      mock.timers.reset()
    }
  }
}

const verifiers: Readonly<Record<string, Verify>> = {
  standardwebhooks: stock(Webhook),
  svix: stock(SvixWebhook),
  async 'our SDK'(secret, body, headers, now) {
    try {
      return { event: await webhookVerifier({ secret, now: () => now }).verify(body, headers as WebhookHeaders) }
    } catch (error) {
      assert(error instanceof WebhookVerificationError, String(error))
      return 'refused'
    }
  },
}

/** The result that all verifiers agree on. */
async function verifiedByAll(
  secret: string,
  body: Buffer,
  headers: Record<string, string>,
  now: Date,
): Promise<Verification> {
  const results = await Promise.all(
    Object.entries(verifiers).map(async ([name, verify]) => [name, await verify(secret, body, headers, now)] as const),
  )
  const [first] = results
  for (const [name, result] of results) assert.deepEqual(result, first![1], name)
  return first![1]
}

const text = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))
const ids = fc.stringMatching(/^[a-z]{2,5}_[0-9a-z]{1,40}$/)
const times = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
const bodies = fc
  .tuple(fc.string({ unit: codePoints }), fc.jsonValue(), fc.constantFrom('', ' ', '\n'))
  .map(([type, data, space]) => Buffer.from(`{"type":${JSON.stringify(type)},${space}"data":${JSON.stringify(data)}}`))
/** Close to the tolerance of five minutes on both sides, and anywhere. */
const skews = fc.oneof(
  fc.integer({ min: -1500, max: 1500 }).map((ms) => 300_000 + ms),
  fc.integer({ min: -1500, max: 1500 }).map((ms) => -300_000 + ms),
  fc.integer({ min: -400_000, max: 400_000 }),
)
const RUNS = { numRuns: 300 }

describe('our signatures', () => {
  test('standardwebhooks, svix and our SDK accept them within five minutes of their clock, and reject them outside', () =>
    fc.assert(
      fc.asyncProperty(secrets, ids, times, skews, bodies, async (secret, id, sentAt, skew, body) => {
        const headers = { ...signatureHeaders({ id, sentAt, body }, [secret]) }
        const now = new Date(sentAt.getTime() + skew)
        const result = await verifiedByAll(text(secret), body, headers, now)
        const age = Math.floor(now.getTime() / 1000) - Math.floor(sentAt.getTime() / 1000)
        assert.deepEqual(result, Math.abs(age) <= 300 ? { event: JSON.parse(body.toString()) } : 'refused')
      }),
      RUNS,
    ))

  test('are accepted with either secret during a rotation, and with no other', () =>
    fc.assert(
      fc.asyncProperty(secrets, secrets, secrets, ids, times, bodies, async (young, old, other, id, sentAt, body) => {
        const headers = { ...signatureHeaders({ id, sentAt, body }, [young, old]) }
        for (const secret of [young, old]) {
          assert.notEqual(await verifiedByAll(text(secret), body, headers, sentAt), 'refused')
        }
        if (other.equals(young) || other.equals(old)) return
        assert.equal(await verifiedByAll(text(other), body, headers, sentAt), 'refused')
      }),
      RUNS,
    ))

  test('are rejected by all if the body, id, timestamp or signature is changed', () =>
    fc.assert(
      fc.asyncProperty(
        secrets,
        ids,
        times,
        bodies,
        fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'),
        fc.nat(),
        fc.constantFrom(...'aZ0 ='),
        async (secret, id, sentAt, body, where, at, letter) => {
          const headers: Record<string, string> = { ...signatureHeaders({ id, sentAt, body }, [secret]) }
          const replaced = (given: string) => {
            const index = at % given.length
            return given.slice(0, index) + letter + given.slice(index + 1)
          }
          const changed = where === 'body' ? Buffer.from(replaced(body.toString())) : body
          if (where !== 'body') headers[where] = replaced(headers[where] ?? '')
          const original = signatureHeaders({ id, sentAt, body }, [secret])
          const isSame = Object.entries(original).every(([name, value]) => headers[name] === value)

          const result = await verifiedByAll(text(secret), changed, headers, sentAt)
          assert.equal(result !== 'refused', isSame && changed.equals(body))
        },
      ),
      RUNS,
    ))
})

describe('their signatures', () => {
  test('equal ours, and our SDK accepts them', () =>
    fc.assert(
      fc.asyncProperty(secrets, ids, times, bodies, async (secret, id, sentAt, body) => {
        const ours = signatureHeaders({ id, sentAt, body }, [secret])
        for (const signer of [new Webhook(text(secret)), new SvixWebhook(text(secret))]) {
          const theirs = { ...ours, 'webhook-signature': signer.sign(id, sentAt, body.toString()) }
          assert.deepEqual(theirs, ours)
          assert.notEqual(await verifiers['our SDK']!(text(secret), body, theirs, sentAt), 'refused')
        }
      }),
      RUNS,
    ))
})

describe('the signature fixture', () => {
  test('is accepted by all of them, and each message to be rejected is rejected by all', async () => {
    const world = await startWorld()
    const client = await world.client()
    const { id } = await opened(client)
    const answer = await client.get(`${WEBHOOKS.endpoints}/${id}/signature-fixture`)
    const { secret, headers, body, bodyBase64, mustBeRefused }: WebhookSignatureFixture = answer.body.data
    const now = world.clock.now()
    const bytes = (base64: string) => Buffer.from(base64, 'base64')
    assert.deepEqual(await verifiedByAll(secret, bytes(bodyBase64), { ...headers }, now), { event: JSON.parse(body) })
    assert.equal(mustBeRefused.length, 3)
    for (const refused of mustBeRefused) {
      assert.equal(
        await verifiedByAll(secret, bytes(refused.bodyBase64), { ...refused.headers }, now),
        'refused',
        refused.case,
      )
    }
  })
})
