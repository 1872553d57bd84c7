import type { Language } from '../../kernel/languages/languages.ts'
import { type DefaultWords, words } from '../../kernel/languages/mail-words.ts'
import type { AfterSalesKind } from '../orders/index.ts'

/** Texts of the mails about an after-sales request. Dates come in formatted. */
interface AfterSalesMailTexts {
  readonly kinds: Readonly<Record<AfterSalesKind, string>>
  readonly heading: string
  readonly sendTo: string
  readonly decideBy: (date: string) => string
  readonly returnBy: (date: string) => string
  /** An operator's texts in a sample mail. */
  readonly sample: { readonly instructions: string; readonly returnAddress: string; readonly declineReason: string }
}

export const afterSalesMailTexts: Readonly<Record<Language, AfterSalesMailTexts>> = {
  en: {
    kinds: { refund_only: 'a refund', return: 'a return', exchange: 'an exchange', repair: 'a repair' },
    heading: 'Items',
    sendTo: 'Send the goods to',
    decideBy: (date) => `You will get an answer by ${date}.`,
    returnBy: (date) => `Please send the goods by ${date}. After that, the request expires.`,
    sample: {
      instructions: 'Put the enclosed label on the parcel.',
      returnAddress: 'Returns\n1 Example Street\nExampletown',
      declineReason: 'The time for returns has passed.',
    },
  },
  de: {
    kinds: {
      refund_only: 'eine Erstattung',
      return: 'eine Rückgabe',
      exchange: 'einen Umtausch',
      repair: 'eine Reparatur',
    },
    heading: 'Artikel',
    sendTo: 'Adresse für die Rücksendung',
    decideBy: (date) => `Du erhältst bis zum ${date} eine Antwort.`,
    returnBy: (date) => `Bitte sende die Ware bis zum ${date} ab. Danach verfällt die Anfrage.`,
    sample: {
      instructions: 'Klebe das beiliegende Etikett auf das Paket.',
      returnAddress: 'Retouren\nBeispielstraße 1\n10115 Berlin',
      declineReason: 'Die Frist für Rückgaben ist abgelaufen.',
    },
  },
}

export type AfterSalesMailKind =
  | 'orders.requested'
  | 'orders.approved'
  | 'orders.declined'
  | 'orders.goods_received'
  | 'orders.expired'
  | 'orders.sent'

/** The default words of each mail. An operator can edit them. */
export const afterSalesMailWords: Readonly<Record<AfterSalesMailKind, DefaultWords>> = {
  'orders.requested': {
    en: words(
      'We have received your request about order {{order.number}}',
      'You requested {{request.kind}}. We are reviewing your request.',
    ),
    de: words(
      'Deine Anfrage zur Bestellung {{order.number}} ist eingegangen',
      'Du hast {{request.kind}} angefragt. Wir prüfen deine Anfrage.',
    ),
  },
  'orders.approved': {
    en: words(
      'Your request about order {{order.number}} was approved',
      'You requested {{request.kind}}. We have approved your request.',
    ),
    de: words(
      'Deine Anfrage zur Bestellung {{order.number}} wurde angenommen',
      'Du hast {{request.kind}} angefragt. Wir haben deine Anfrage angenommen.',
    ),
  },
  'orders.declined': {
    en: words(
      'Your request about order {{order.number}} was declined',
      'You requested {{request.kind}}. We have to decline your request for this reason:',
    ),
    de: words(
      'Deine Anfrage zur Bestellung {{order.number}} wurde abgelehnt',
      'Du hast {{request.kind}} angefragt. Leider müssen wir deine Anfrage aus folgendem Grund ablehnen:',
    ),
  },
  'orders.goods_received': {
    en: words(
      'We have received your goods from order {{order.number}}',
      'You requested {{request.kind}}. Your goods have arrived, and we will check them now.',
    ),
    de: words(
      'Deine Ware zur Bestellung {{order.number}} ist angekommen',
      'Du hast {{request.kind}} angefragt. Deine Ware ist bei uns angekommen, und wir prüfen sie jetzt.',
    ),
  },
  'orders.expired': {
    en: words(
      'Your request about order {{order.number}} has expired',
      'You requested {{request.kind}}, but the goods have not reached us in time. If you have sent them, please contact us.',
    ),
    de: words(
      'Deine Anfrage zur Bestellung {{order.number}} ist verfallen',
      'Du hast {{request.kind}} angefragt, aber die Ware ist nicht rechtzeitig bei uns angekommen. Falls du sie abgeschickt hast, melde dich bitte bei uns.',
    ),
  },
  'orders.sent': {
    en: words(
      'Your shipment for order {{order.number}} is on its way',
      'You requested {{request.kind}}. The goods are on their way to you.',
    ),
    de: words(
      'Deine Sendung zur Bestellung {{order.number}} ist unterwegs',
      'Du hast {{request.kind}} angefragt. Die Ware ist unterwegs zu dir.',
    ),
  },
}
