import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Intent } from './intent.ts'

const giveBack = statement(
  'payments.give_back_refused',
  `update payment_intents set refund_asked = refund_asked - $2, version = version + 1, updated_at = $3 where id = $1`,
)

/** A refund that was refused leaves its amount to be asked for again. */
export function giveBackRefused(tx: Transaction, { chargeId, amount, updatedAt }: Intent): void {
  tx.write(giveBack, [chargeId, amount, updatedAt], { rows: 1 })
}
