import type { Transaction } from '../../platform/postgres/access.ts'
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
