import type { Language } from '../../../kernel/languages/languages.ts'
import { type DefaultWords, words } from '../../../kernel/languages/mail-words.ts'

/** Texts of mails about orders. Amounts, dates and numbers come in formatted. */
export interface OrderMailTexts {
  readonly test: { readonly mark: string; readonly closing: string }
  /** The link to the page of the order. */
  readonly page: {
    readonly heading: string
    readonly label: string
    readonly button: string
    readonly until: (date: string) => string
  }
  /** The link to an invoice or a credit note. */
  readonly issued: Readonly<Record<'invoice' | 'creditNote', { readonly heading: string; readonly label: string }>>
  readonly order: { readonly heading: string; readonly number: string; readonly date: string }
  readonly parcel: {
    readonly more: string
    readonly anyCarrier: string
    readonly track: string
    readonly heading: string
    readonly number: string
    readonly carrier: string
    readonly tracking: string
  }
  readonly canceled: {
    readonly refund: (amount: string) => string
    readonly unpaid: string
    readonly heading: string
  }
  readonly refunded: { readonly wait: string }
  readonly lines: string
  readonly sums: {
    readonly heading: string
    readonly goods: string
    readonly shipping: string
    readonly free: string
    readonly tax: string
    readonly total: string
    readonly includedTax: string
    /** A tax that the total includes, with its name and rate. */
    readonly including: (tax: string) => string
  }
  readonly shipTo: string
  readonly billTo: string
  readonly documents: string
}

export const orderMailTexts: Readonly<Record<Language, OrderMailTexts>> = {
  en: {
    test: { mark: 'Test', closing: 'This is a test order. Nothing is delivered and nothing is charged.' },
    page: {
      heading: 'Your order online',
      label: 'View status, cancel or return',
      button: 'View your order',
      until: (date) =>
        `The link is valid until ${date}. Anyone who has it can open your order, so keep it to yourself.`,
    },
    issued: {
      invoice: { heading: 'Invoice', label: 'Download your invoice as a PDF' },
      creditNote: { heading: 'Credit note', label: 'Download your credit note as a PDF' },
    },
    order: { heading: 'Order', number: 'Order number', date: 'Placed on' },
    parcel: {
      anyCarrier: 'the carrier',
      more: 'The rest of your order follows.',
      track: 'Track the parcel',
      heading: 'In this parcel',
      number: 'Your parcel',
      carrier: 'Carrier',
      tracking: 'Tracking number',
    },
    canceled: {
      refund: (amount) => `We are refunding ${amount}. We will email you when the refund has been paid out.`,
      unpaid: 'The payment was not completed. You were not charged. You can order again with another payment method.',
      heading: 'Canceled',
    },
    refunded: { wait: 'It may take a few days to reach your account.' },
    lines: 'Items',
    sums: {
      heading: 'Summary',
      goods: 'Subtotal',
      shipping: 'Shipping',
      free: 'free',
      tax: 'Tax',
      total: 'Total',
      includedTax: 'Tax included',
      including: (tax) => `Including ${tax}`,
    },
    shipTo: 'Shipping address',
    billTo: 'Billing address',
    documents: 'Accepted documents',
  },
  de: {
    test: { mark: 'Test', closing: 'Dies ist eine Testbestellung. Es wird nichts geliefert und nichts berechnet.' },
    page: {
      heading: 'Deine Bestellung online',
      label: 'Status ansehen, stornieren oder zurückgeben',
      button: 'Bestellung ansehen',
      until: (date) =>
        `Der Link ist bis zum ${date} gültig. Wer ihn hat, kann deine Bestellung öffnen: Gib ihn nicht weiter.`,
    },
    issued: {
      invoice: { heading: 'Rechnung', label: 'Rechnung als PDF herunterladen' },
      creditNote: { heading: 'Rechnungskorrektur', label: 'Rechnungskorrektur als PDF herunterladen' },
    },
    order: { heading: 'Bestellung', number: 'Bestellnummer', date: 'Bestellt am' },
    parcel: {
      anyCarrier: 'den Versanddienst',
      more: 'Der Rest deiner Bestellung folgt.',
      track: 'Paket verfolgen',
      heading: 'In diesem Paket',
      number: 'Dein Paket',
      carrier: 'Versanddienst',
      tracking: 'Sendungsnummer',
    },
    canceled: {
      refund: (amount) => `Wir erstatten dir ${amount} und benachrichtigen dich, sobald der Betrag ausgezahlt ist.`,
      unpaid:
        'Die Zahlung kam nicht zustande. Es wurde nichts abgebucht. Du kannst mit einer anderen Zahlungsart neu bestellen.',
      heading: 'Storniert',
    },
    refunded: { wait: 'Bis zur Gutschrift auf deinem Konto kann es einige Tage dauern.' },
    lines: 'Artikel',
    sums: {
      heading: 'Zusammenfassung',
      goods: 'Zwischensumme',
      shipping: 'Versand',
      free: 'kostenlos',
      tax: 'Steuern',
      total: 'Gesamtbetrag',
      includedTax: 'Enthaltene Steuern',
      including: (tax) => `Enthält ${tax}`,
    },
    shipTo: 'Lieferadresse',
    billTo: 'Rechnungsadresse',
    documents: 'Akzeptierte Dokumente',
  },
}

export type OrderMailKind =
  | 'orders.confirmed'
  | 'orders.received'
  | 'orders.paid'
  | 'orders.parcel'
  | 'orders.canceled'
  | 'orders.canceled_in_part'
  | 'orders.refunded'
  | 'orders.link'

/** The default words of each mail. An operator can edit them. */
export const orderMailWords: Readonly<Record<OrderMailKind, DefaultWords>> = {
  'orders.confirmed': {
    en: words(
      'Your order {{order.number}} is confirmed',
      'Thank you for your order. It is paid, and we will get it ready.',
    ),
    de: words(
      'Deine Bestellung {{order.number}} ist bestätigt',
      'Danke für deine Bestellung. Sie ist bezahlt und wird jetzt vorbereitet.',
    ),
  },
  'orders.received': {
    en: words(
      'We have received your order {{order.number}}',
      'Thank you for your order. Your items are reserved. We will get them ready as soon as the payment is complete, and email you then.',
    ),
    de: words(
      'Deine Bestellung {{order.number}} ist eingegangen',
      'Danke für deine Bestellung. Deine Artikel sind reserviert. Sobald die Zahlung abgeschlossen ist, bereiten wir sie vor und schreiben dir.',
    ),
  },
  'orders.paid': {
    en: words(
      'Your order {{order.number}} is paid',
      'The payment of {{payment.amount}} for your order {{order.number}} is complete. We will get it ready.',
    ),
    de: words(
      'Deine Bestellung {{order.number}} ist bezahlt',
      'Die Zahlung von {{payment.amount}} für deine Bestellung {{order.number}} ist abgeschlossen. Wir bereiten sie jetzt vor.',
    ),
  },
  'orders.parcel': {
    en: words(
      'A parcel of your order {{order.number}} is on its way',
      'Your parcel was handed over to {{parcel.carrier}}.',
    ),
    de: words(
      'Ein Paket deiner Bestellung {{order.number}} ist unterwegs',
      'Dein Paket wurde an {{parcel.carrier}} übergeben.',
    ),
  },
  'orders.canceled': {
    en: words('Your order {{order.number}} was canceled', 'Your order was canceled. Nothing more will be delivered.'),
    de: words(
      'Deine Bestellung {{order.number}} wurde storniert',
      'Deine Bestellung wurde storniert. Es wird nichts mehr geliefert.',
    ),
  },
  'orders.canceled_in_part': {
    en: words('Part of your order {{order.number}} was canceled', 'The following items will not be delivered.'),
    de: words(
      'Ein Teil deiner Bestellung {{order.number}} wurde storniert',
      'Die folgenden Artikel werden nicht geliefert.',
    ),
  },
  'orders.refunded': {
    en: words(
      'Refund for your order {{order.number}}',
      'We have refunded {{refund.amount}} for your order {{order.number}}.',
    ),
    de: words(
      'Erstattung zu deiner Bestellung {{order.number}}',
      'Wir haben dir {{refund.amount}} für deine Bestellung {{order.number}} erstattet.',
    ),
  },
  'orders.link': {
    en: words(
      'The link to your order {{order.number}}',
      'You asked for a new link to your order. If this was not you, ignore this email.',
    ),
    de: words(
      'Der Link zu deiner Bestellung {{order.number}}',
      'Du hast einen neuen Link zu deiner Bestellung angefordert. Du warst das nicht? Dann ignoriere diese E-Mail.',
    ),
  },
}
