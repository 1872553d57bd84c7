import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { WebhookSignatureFixture } from '@vitrine/contract'
import { describe, receiver } from '../../docs/guides/verifying-webhooks.ts'
import { opened, WEBHOOKS } from '../support/commerce/webhook-endpoints.ts'
import { startWorld } from '../support/world.ts'

test('the guide to verification accepts the signed sample once, and refuses each invalid case', async () => {
  const world = await startWorld()
  const client = await world.client()
  const { id } = await opened(client)
  const answer = await client.get(`${WEBHOOKS.endpoints}/${id}/signature-fixture`)
  const fixture: WebhookSignatureFixture = answer.body.data
  const handled: string[] = []
  const respond = receiver({
    secrets: [fixture.secret],
    handle: async (event) => void handled.push(describe(event)),
    now: () => world.clock.now(),
  })
  const request = ({ headers, bodyBase64 }: Pick<WebhookSignatureFixture, 'headers' | 'bodyBase64'>) =>
    new Request('https://shop.example/hooks', { method: 'POST', headers, body: Buffer.from(bodyBase64, 'base64') })

  for (const sent of [fixture, fixture]) assert.equal((await respond(request(sent))).status, 204)
  assert.deepEqual(handled, ['a test: Grüße aus Köln, 東京 🏺 & https://shop.example/'])
  // Sent again while it is handled, which then fails: neither request may be acknowledged.
  const failing = receiver({
    secrets: [fixture.secret],
    handle: async () => {
      await pause(50)
      throw new Error('the shop is busy')
    },
    now: () => world.clock.now(),
  })
  const outcomes = await Promise.allSettled([failing(request(fixture)), failing(request(fixture))])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  for (const refused of fixture.mustBeRefused) assert.equal((await respond(request(refused))).status, 400, refused.case)
  assert.equal(handled.length, 1)
})
