import type { Language } from '../../../kernel/languages/languages.ts'

/** Texts of mails about orders. Amounts, dates and numbers come in formatted. */
export interface OrderMailTexts {
  readonly test: { readonly mark: string; readonly closing: string }
  /** The link to the page of the order. */
  readonly page: { readonly heading: string; readonly label: string; readonly until: (date: string) => string }
  /** The mail with a new link. */
  readonly link: { readonly title: (order: string) => string; readonly opening: string }
  readonly confirmed: { readonly title: (order: string) => string; readonly opening: string }
  readonly parcel: {
    readonly title: (order: string) => string
    readonly opening: (carrier: string | null) => string
    readonly more: string
    readonly track: string
    readonly heading: string
    readonly number: string
    readonly carrier: string
    readonly tracking: string
  }
  readonly canceled: {
    readonly title: (order: string, isWhole: boolean) => string
    readonly opening: (isWhole: boolean) => string
    readonly refund: (amount: string) => string
    readonly heading: string
  }
  readonly refunded: {
    readonly title: (order: string) => string
    readonly opening: (amount: string, order: string) => string
    readonly wait: string
  }
  readonly lines: string
  readonly sums: {
    readonly heading: string
    readonly goods: string
    readonly shipping: string
    readonly free: string
    readonly tax: string
    readonly total: string
    readonly includedTax: string
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
      until: (date) =>
        `The link is valid until ${date}. Anyone who has it can open your order, so keep it to yourself.`,
    },
    link: {
      title: (order) => `The link to your order ${order}`,
      opening: 'You asked for a new link to your order. If this was not you, ignore this email.',
    },
    confirmed: {
      title: (order) => `Your order ${order} is confirmed`,
      opening: 'Thank you for your order. It is paid, and we will get it ready.',
    },
    parcel: {
      title: (order) => `A parcel of your order ${order} is on its way`,
      opening: (carrier) =>
        carrier === null ? 'Your parcel was handed over to the carrier.' : `Your parcel was handed over to ${carrier}.`,
      more: 'The rest of your order follows.',
      track: 'Track the parcel',
      heading: 'In this parcel',
      number: 'Your parcel',
      carrier: 'Carrier',
      tracking: 'Tracking number',
    },
    canceled: {
      title: (order, isWhole) =>
        isWhole ? `Your order ${order} was canceled` : `Part of your order ${order} was canceled`,
      opening: (isWhole) =>
        isWhole
          ? 'Your order was canceled. Nothing more will be delivered.'
          : 'The following items will not be delivered.',
      refund: (amount) => `We are refunding ${amount}. We will email you when the refund has been paid out.`,
      heading: 'Canceled',
    },
    refunded: {
      title: (order) => `Refund for your order ${order}`,
      opening: (amount, order) => `We have refunded ${amount} for your order ${order}.`,
      wait: 'It may take a few days to reach your account.',
    },
    lines: 'Items',
    sums: {
      heading: 'Summary',
      goods: 'Subtotal',
      shipping: 'Shipping',
      free: 'free',
      tax: 'Tax',
      total: 'Total',
      includedTax: 'Tax included',
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
      until: (date) =>
        `Der Link ist bis zum ${date} gültig. Wer ihn hat, kann deine Bestellung öffnen: Gib ihn nicht weiter.`,
    },
    link: {
      title: (order) => `Der Link zu deiner Bestellung ${order}`,
      opening:
        'Du hast einen neuen Link zu deiner Bestellung angefordert. Du warst das nicht? Dann ignoriere diese E-Mail.',
    },
    confirmed: {
      title: (order) => `Deine Bestellung ${order} ist bestätigt`,
      opening: 'Danke für deine Bestellung. Sie ist bezahlt und wird jetzt vorbereitet.',
    },
    parcel: {
      title: (order) => `Ein Paket deiner Bestellung ${order} ist unterwegs`,
      opening: (carrier) =>
        carrier === null
          ? 'Dein Paket wurde dem Versanddienst übergeben.'
          : `Dein Paket wurde an ${carrier} übergeben.`,
      more: 'Der Rest deiner Bestellung folgt.',
      track: 'Paket verfolgen',
      heading: 'In diesem Paket',
      number: 'Dein Paket',
      carrier: 'Versanddienst',
      tracking: 'Sendungsnummer',
    },
    canceled: {
      title: (order, isWhole) =>
        isWhole ? `Deine Bestellung ${order} wurde storniert` : `Ein Teil deiner Bestellung ${order} wurde storniert`,
      opening: (isWhole) =>
        isWhole
          ? 'Deine Bestellung wurde storniert. Es wird nichts mehr geliefert.'
          : 'Die folgenden Artikel werden nicht geliefert.',
      refund: (amount) => `Wir erstatten dir ${amount} und benachrichtigen dich, sobald der Betrag ausgezahlt ist.`,
      heading: 'Storniert',
    },
    refunded: {
      title: (order) => `Erstattung zu deiner Bestellung ${order}`,
      opening: (amount, order) => `Wir haben dir ${amount} für deine Bestellung ${order} erstattet.`,
      wait: 'Bis zur Gutschrift auf deinem Konto kann es einige Tage dauern.',
    },
    lines: 'Artikel',
    sums: {
      heading: 'Zusammenfassung',
      goods: 'Zwischensumme',
      shipping: 'Versand',
      free: 'kostenlos',
      tax: 'Steuern',
      total: 'Gesamtbetrag',
      includedTax: 'Enthaltene Steuern',
    },
    shipTo: 'Lieferadresse',
    billTo: 'Rechnungsadresse',
    documents: 'Akzeptierte Dokumente',
  },
}
