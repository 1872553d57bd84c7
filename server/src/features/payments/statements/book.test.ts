import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paymentsWorld } from '../../../../../test/support/commerce/payments.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { transferReference } from '../intents/intent.ts'
import { matchStatement } from './book.ts'

test('a statement loads only the transfers that it names and those that wait for one of its amounts', async () => {
  const world = await paymentsWorld()
  const transferOf = async (amount: bigint) => {
    const id = await world.charge({ provider: 'manual', amount })
    assert.equal((await world.payments.advance(id)).status, 'requires_action')
    return id
  }
  const [named, sameAmount, paid] = [await transferOf(1000n), await transferOf(2000n), await transferOf(2000n)]
  await world.payments.confirmManual(paid, { isDone: true })
  await transferOf(3000n)
  const loaded: string[] = []
  const read = new Set<string>()
  const { reader } = world.database
  const noting: Reader = {
    ...reader,
    async rows(statement, values) {
      const rows = await reader.rows(statement, values)
      for (const row of rows as readonly { id: string; received?: bigint }[]) {
        read.add(row.id)
        if (row.received !== undefined) loaded.push(row.id)
      }
      return rows
    },
  }
  const lineOf = (purpose: string, amount: bigint) => {
    const about = { account: null, bookedOn: '2026-11-30', currency: 'EUR', payer: 'Ada', bankId: '' }
    return { ...about, position: 1, amount, purpose }
  }
  const lines = [lineOf(`Order ${transferReference({ id: named })}`, 500n), lineOf('Thanks', 2000n)]

  const now = world.clock.now()
  const { matches } = await matchStatement(noting, lines, { environment: 'test', now, ibansOf: async () => new Map() })
  assert.deepEqual(loaded.toSorted(), [named, sameAmount].toSorted())
  assert.deepEqual([...read].toSorted(), [named, sameAmount].toSorted(), 'not even the ids of the others')
  assert.deepEqual(
    matches.map(({ kind, charge, candidates }) => [kind, charge?.id, candidates.map(({ id }) => id)]),
    [
      ['underpaid', named, []],
      ['unknown', undefined, [sameAmount]],
    ],
  )
})
