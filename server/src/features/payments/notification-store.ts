import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { Notification } from './payment-provider.ts'

const insert = statement(
  'payments.insert_notification',
  `insert into payment_notifications (provider, notification_id, intent_id, received_at) values ($1, $2, $3, $4)
   on conflict do nothing`,
)

/** Takes a notification. False where it was taken before. */
export async function takeNotification(
  tx: Transaction,
  taken: {
    readonly provider: string
    readonly notification: Notification
    readonly intentId: string
    readonly now: Date
  },
): Promise<boolean> {
  return (await tx.change(insert, [taken.provider, taken.notification.id, taken.intentId, taken.now])) === 1
}

/** Days in which a notification that comes again is known. Later it would be a reason to look, and change nothing. */
export const NOTIFICATION_RETENTION_DAYS = 90

/** For the sweep: notifications that were taken long ago. */
export const sweepPaymentNotifications = statement(
  'sweep.payment_notifications',
  `delete from payment_notifications where (provider, notification_id) in (
     select provider, notification_id from payment_notifications where received_at < $1 order by received_at limit $2)`,
)
