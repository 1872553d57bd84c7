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

/** What a shopper types to get a new link. */
export interface OrderLinkRequest {
  readonly number: string
  readonly email: string
}

/**
 * Asks for a new link to an order. It never looks for the order, so neither the answer nor its time tells whether number and
 * address fit; a job looks later and mails the link to the address of the order.
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

/** The job: mails the link, and nothing if number and address do not fit. */
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
