import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventKindNames } from '@vitrine/contract'
import { Compile } from 'typebox/compile'
import { WEBHOOKS } from '../../../../../test/support/commerce/webhook-endpoints.ts'
import { startWorld } from '../../../../../test/support/world.ts'

interface Kind {
  readonly type: string
  readonly description: string
  readonly schema: { readonly $schema: string }
  readonly sample: { readonly type: string; readonly data: object }
}

let events: readonly Kind[]
before(async () => {
  const client = await (await startWorld()).client()
  ;({ events } = (await client.get(WEBHOOKS.events)).body.data)
})

describe('listInstallationWebhookEvents', () => {
  test('200 lists every event type of the contract with its description and body schema, which allows further members', () => {
    assert.deepEqual(
      events.map(({ type }) => type),
      eventKindNames,
    )
    for (const { description, schema } of events) {
      assert.match(description, /\.$/)
      assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema')
      assert.doesNotMatch(JSON.stringify(schema), /additionalProperties/)
    }
  })

  test('200 has samples that match their own schema, and no other', () => {
    for (const { type, schema, sample } of events) {
      const check = Compile(schema as never)
      assert(check.Check(sample), `${type} ${JSON.stringify(check.Errors(sample))}`)
      const others = events.filter((other) => other.type !== type)
      for (const other of others) assert.equal(Compile(other.schema as never).Check(sample), false, other.type)
    }
  })
})
