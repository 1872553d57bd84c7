import { refuse } from '../../kernel/refusal.ts'
import type { LineReport } from '../../platform/line-files/invalid-line.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { stopShipping } from '../catalog/index.ts'
import { enqueueKeys } from './begin.ts'
import { insertKeys, type LicenseVault, lockPool, type Pool } from './pools.ts'

const KEY_MAX = 500
const CONTROL = /\p{Cc}/u

const skuExists = statement('fulfilment.sku_exists', 'select 1 from skus where id = $1')
// All pending intents: those that a job has left waiting, and those whose job has not run yet. Its subject rejects a duplicate job.
const waitingFor = statement<{ id: string; version: number }>(
  'fulfilment.waiting_for',
  `select intent.id, intent.version from fulfilment_intents as intent
   where intent.status = 'pending' and intent.method = 'digital' and intent.environment = $2
     and exists (select from fulfilment_units as units join order_lines as line on line.id = units.order_line_id
                 where units.intent_id = intent.id and line.sku_id = $1)
   order by intent.created_at, intent.id`,
)

/**
 * Imports keys into the pool of a SKU, one per line, and enqueues the intents that wait for keys. From the first import on, the
 * SKU is delivered by mail, without shipping. Keys that are in the pool already, given or not, are reported as unchanged.
 *
 * @param from number of lines of the file before these
 * Refusals: `not_found` for an unknown SKU.
 */
export async function importLicenses(
  tx: Transaction,
  pool: Pool,
  lines: readonly string[],
  { vault, from = 0, ...context }: EventContext & { readonly vault: LicenseVault; readonly from?: number },
): Promise<LineReport> {
  if ((await tx.row(skuExists, [pool.skuId])) === undefined) refuse('not_found')
  const { keys, refused } = validKeys(lines, from)
  await lockPool(tx, pool.skuId, context.now)
  await stopShipping(tx, pool.skuId, context.now)

  const distinct = [...new Set(keys)]
  const created = distinct.length === 0 ? 0 : await insertKeys(tx, pool, distinct, { vault, now: context.now })

  const waiting = await tx.rows(waitingFor, [pool.skuId, pool.environment])
  for (const intent of waiting) enqueueKeys(tx, intent, context)
  return { read: keys.length + refused.length, created, unchanged: keys.length - created, refused }
}

/** Trims keys, skips blank lines and refuses invalid ones. */
function validKeys(lines: readonly string[], from: number) {
  const keys: string[] = []
  const refused: { line: number; reason: string }[] = []
  for (const [index, text] of lines.entries()) {
    const key = text.trim()
    if (key === '') continue
    if (key.length > KEY_MAX)
      refused.push({ line: from + index + 1, reason: `A key can have at most ${KEY_MAX} characters.` })
    else if (CONTROL.test(key))
      refused.push({ line: from + index + 1, reason: 'A key cannot contain control characters.' })
    else keys.push(key)
  }
  return { keys, refused }
}
