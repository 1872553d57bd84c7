import type { Language } from '../../kernel/languages/languages.ts'
import { type DefaultWords, words } from '../../kernel/languages/mail-words.ts'
import type { EditableMail } from '../../platform/mail/index.ts'
import { composeSample, lineRows, type MailSample, ORDER_PLACEHOLDERS, type OrderMail } from '../orders/index.ts'
import type { Cancellation } from './cancellation.ts'

type CancellationMailKind = 'orders.cancellation_requested' | 'orders.cancellation_declined'

/** The default words of each mail. An operator can edit them. Orders send the mail about canceled units. */
const cancellationMailWords: Readonly<Record<CancellationMailKind, DefaultWords>> = {
  'orders.cancellation_requested': {
    en: words(
      'We are checking whether order {{order.number}} can be canceled',
      'You asked us to cancel the following items. We are checking whether we can still stop them, and will email you.',
    ),
    de: words(
      'Wir prüfen die Stornierung deiner Bestellung {{order.number}}',
      'Du möchtest die folgenden Artikel stornieren. Wir prüfen, ob das noch möglich ist, und melden uns per E-Mail.',
    ),
  },
  'orders.cancellation_declined': {
    en: words(
      'Your order {{order.number}} could not be canceled',
      'You asked us to cancel the following items. That is no longer possible, for this reason:',
    ),
    de: words(
      'Deine Bestellung {{order.number}} konnte nicht storniert werden',
      'Du wolltest die folgenden Artikel stornieren. Das ist aus folgendem Grund nicht mehr möglich:',
    ),
  },
}

const texts: Readonly<Record<Language, { readonly heading: string; readonly sampleReason: string }>> = {
  en: { heading: 'Items', sampleReason: 'The parcel is already packed.' },
  de: { heading: 'Artikel', sampleReason: 'Das Paket ist bereits gepackt.' },
}

/** The mail about a request that an operator has to decide, or has declined. */
export function cancellationMail({ lines }: Pick<Cancellation, 'lines'>, declineReason: string | null): OrderMail {
  const kind = declineReason === null ? 'orders.cancellation_requested' : 'orders.cancellation_declined'
  return {
    kind,
    words: cancellationMailWords[kind],
    content: (context) => ({
      details: declineReason === null ? [] : [declineReason],
      lists: [{ heading: texts[context.language].heading, rows: lineRows(context, lines) }],
    }),
  }
}

/** The mails about cancellations whose words an operator can edit. */
export const editableCancellationMails: readonly EditableMail<MailSample>[] = (
  Object.keys(cancellationMailWords) as CancellationMailKind[]
).map((kind) => ({
  kind,
  isOfStores: true,
  words: cancellationMailWords[kind],
  placeholders: ORDER_PLACEHOLDERS,
  sample(sample) {
    const reason = kind === 'orders.cancellation_declined' ? texts[sample.language].sampleReason : null
    return composeSample(cancellationMail({ lines: [{ lineId: 'oli_1', quantity: 1 }] }, reason), sample)
  },
}))
