import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'

const insert = statement(
  'payments.insert_notification',
  `insert into payment_notifications (provider, notification_id, intent_id, received_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
)

/** Record a notification. `false` if it was recorded before. */
export async function insertNotification(
  tx: Transaction,
  taken: {
    readonly provider: string
    readonly notificationId: string
    readonly intentId: string
    readonly now: Date
  },
): Promise<boolean> {
  return (await tx.change(insert, [taken.provider, taken.notificationId, taken.intentId, taken.now])) === 1
}

/** Days during which a repeated notification is recognized. A later one only triggers a lookup that changes nothing. */
export const NOTIFICATION_RETENTION_DAYS = 90

/** Delete old notifications. For the sweep. */
export const sweepPaymentNotifications = sweepStatement('payment_notifications', 'received_at')
