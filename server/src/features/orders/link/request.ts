import { comparableEmail } from '../../../kernel/email.ts'
import { hashOfToken } from '../../../platform/auth/authenticate.ts'
import { enqueue, type JobHandlers } from '../../../platform/jobs/index.ts'
import { sendMail } from '../../../platform/mail/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { type RateLimiter, refuseOverLimit } from '../../../platform/rate-limit/rate-limiter.ts'
import { composeOrderMail, type OrderMail } from '../mail/compose.ts'
import { orderMailWords } from '../mail/texts.ts'
import { ordersByNumber } from '../order/store.ts'
import { orderLink, readOrderMailSender } from './link.ts'

const LINK_JOB = 'orders.link'

/** The input of a shopper who requests a new link. */
interface OrderLinkRequest {
  readonly number: string
  readonly email: string
}

/**
 * Requests a new link to an order. It does not look the order up, so neither the answer nor its duration reveals whether number and
 * email address match. A job looks it up later and mails the link to the email address of the order.
 */
export function requestOrderLink(tx: Transaction, { number, email }: OrderLinkRequest, context: EventContext): void {
  const subject = hashOfToken(`${number.toUpperCase()} ${comparableEmail(email)}`).toString('base64url')
  enqueue(tx, { kind: LINK_JOB, subject, payload: { number, email }, runAt: context.now }, context.ids)
}

/**
 * Limits requests per email address, like those for new passwords.
 *
 * Refusals: `rate_limited`.
 */
export async function limitOrderLinkRequest(limiter: RateLimiter, email: string, now: Date): Promise<void> {
  const key = hashOfToken(`order ${comparableEmail(email)}`).toString('base64url')
  refuseOverLimit(await limiter.take('reset-account', key, now.getTime()))
}

/** The job that mails the link, or does nothing if number and email address do not match. */
export function orderLinkJobs(): JobHandlers {
  return {
    [LINK_JOB]: async ({ payload }, { database, now, ids }) => {
      const { number, email } = payload as OrderLinkRequest
      await database.transaction(async (tx) => {
        for (const order of await ordersByNumber(tx, number, email)) {
          const { links, ...sender } = await readOrderMailSender(tx, order.lines)
          if (links === null) return
          const link = orderLink(links, order, now)
          sendMail(tx, composeOrderMail(order, linkMail, { ...sender, link }), { ids, now })
        }
      })
    },
  }
}

/** The mail with a new link. */
export const linkMail: OrderMail = { kind: 'orders.link', words: orderMailWords['orders.link'], content: () => ({}) }
