import type { Language } from '../../kernel/languages/languages.ts'
import type { AfterSalesKind } from '../orders/index.ts'

/** Texts of the mails about an after-sales request. Amounts and dates come in formatted. */
interface AfterSalesMailTexts {
  readonly kinds: Readonly<Record<AfterSalesKind, string>>
  readonly heading: string
  readonly requested: {
    readonly title: (order: string) => string
    readonly opening: (kind: string) => string
    readonly decideBy: (date: string) => string
  }
  readonly approved: {
    readonly title: (order: string) => string
    readonly opening: (kind: string) => string
    readonly returnBy: (date: string) => string
  }
  readonly declined: {
    readonly title: (order: string) => string
    readonly opening: (kind: string) => string
  }
  readonly sent: {
    readonly title: (order: string) => string
    readonly opening: (kind: string, carrier: string | null) => string
  }
}

export const afterSalesMailTexts: Readonly<Record<Language, AfterSalesMailTexts>> = {
  en: {
    kinds: { refund_only: 'a refund', return: 'a return', exchange: 'an exchange', repair: 'a repair' },
    heading: 'Items',
    requested: {
      title: (order) => `We have received your request about order ${order}`,
      opening: (kind) => `You requested ${kind}. We are reviewing your request.`,
      decideBy: (date) => `You will get an answer by ${date}.`,
    },
    approved: {
      title: (order) => `Your request about order ${order} was approved`,
      opening: (kind) => `You requested ${kind}. We have approved your request.`,
      returnBy: (date) => `Please send the goods by ${date}. After that, the request expires.`,
    },
    declined: {
      title: (order) => `Your request about order ${order} was declined`,
      opening: (kind) => `You requested ${kind}. We have to decline your request for this reason:`,
    },
    sent: {
      title: (order) => `Your shipment for order ${order} is on its way`,
      opening: (kind, carrier) =>
        `You requested ${kind}. The goods are on their way to you${carrier === null ? '' : ` with ${carrier}`}.`,
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
    requested: {
      title: (order) => `Deine Anfrage zur Bestellung ${order} ist eingegangen`,
      opening: (kind) => `Du hast ${kind} angefragt. Wir prüfen deine Anfrage.`,
      decideBy: (date) => `Du erhältst bis zum ${date} eine Antwort.`,
    },
    approved: {
      title: (order) => `Deine Anfrage zur Bestellung ${order} wurde genehmigt`,
      opening: (kind) => `Du hast ${kind} angefragt. Wir haben deine Anfrage genehmigt.`,
      returnBy: (date) => `Bitte sende die Ware bis zum ${date} ab. Danach verfällt die Anfrage.`,
    },
    declined: {
      title: (order) => `Deine Anfrage zur Bestellung ${order} wurde abgelehnt`,
      opening: (kind) => `Du hast ${kind} angefragt. Leider müssen wir deine Anfrage aus folgendem Grund ablehnen:`,
    },
    sent: {
      title: (order) => `Deine Sendung zur Bestellung ${order} ist unterwegs`,
      opening: (kind, carrier) =>
        `Du hast ${kind} angefragt. Die Ware ist ${carrier === null ? '' : `mit ${carrier} `}unterwegs zu dir.`,
    },
  },
}
