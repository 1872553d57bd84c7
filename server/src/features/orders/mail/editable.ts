import type { Language } from '../../../kernel/languages/languages.ts'
import type { EditableMail, EditedWords } from '../../../platform/mail/index.ts'
import { linkMail } from '../link/request.ts'
import { composeOrderMail, ORDER_PLACEHOLDERS, type OrderMail, orderMail } from './compose.ts'
import { type SamplePictures, sampleLink, sampleNotification, sampleOrder } from './sample.ts'
import { type OrderMailKind, orderMailWords } from './texts.ts'

/** The input of a sample mail. */
export interface MailSample {
  readonly language: Language
  readonly storeId: string
  readonly pictures: SamplePictures
  readonly siteName: string
  readonly pagesUrl: string
  readonly edited: readonly EditedWords[]
  readonly now: Date
}

const OWN_PLACEHOLDERS: Readonly<Partial<Record<OrderMailKind, readonly string[]>>> = {
  'orders.parcel': ['parcel.carrier'],
  'orders.refunded': ['refund.amount'],
  'orders.paid': ['payment.amount'],
}

/** The mails about orders whose words an operator can edit, in the order of a purchase. */
export const editableOrderMails: readonly EditableMail<MailSample>[] = (
  Object.keys(orderMailWords) as OrderMailKind[]
).map((kind) => ({
  kind,
  isOfStores: true,
  words: orderMailWords[kind],
  placeholders: [...ORDER_PLACEHOLDERS, ...(OWN_PLACEHOLDERS[kind] ?? [])],
  sample: (sample) =>
    composeSample(kind === 'orders.link' ? linkMail : orderMail(sampleNotification(kind, sample.now)), sample),
}))

/** A mail about the sample order. */
export function composeSample(mail: OrderMail, { language, siteName, pagesUrl, edited, now, ...facts }: MailSample) {
  const order = sampleOrder(language, { ...facts, now })
  return composeOrderMail(order, mail, {
    siteName,
    timeZone: 'UTC',
    link: sampleLink(pagesUrl, now),
    edited,
  })
}
