import type { AfterSalesKind, MailLanguage } from '../orders/index.ts'

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

export const afterSalesMailTexts: Readonly<Record<MailLanguage, AfterSalesMailTexts>> = {
  en: {
    kinds: { refund_only: 'a refund', return: 'a return', exchange: 'an exchange', repair: 'a repair' },
    heading: 'Items',
    requested: {
      title: (order) => `We have received your request about order ${order}`,
      opening: (kind) => `You have asked for ${kind}. We are looking at it.`,
      decideBy: (date) => `You will have an answer by ${date}.`,
    },
    approved: {
      title: (order) => `Your request about order ${order} was approved`,
      opening: (kind) => `You have asked for ${kind}, and we agree.`,
      returnBy: (date) => `Please send the goods by ${date}. After that, the request ends.`,
    },
    declined: {
      title: (order) => `Your request about order ${order} was declined`,
      opening: (kind) => `You have asked for ${kind}. We cannot agree to it, for this reason:`,
    },
    sent: {
      title: (order) => `The goods of your request about order ${order} are on their way`,
      opening: (kind, carrier) =>
        `You have asked for ${kind}. The goods are on their way to you${carrier === null ? '' : ` with ${carrier}`}.`,
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
      title: (order) => `Deine Anfrage zur Bestellung ${order} ist angekommen`,
      opening: (kind) => `Du möchtest ${kind}. Wir sehen uns das an.`,
      decideBy: (date) => `Du bekommst bis zum ${date} eine Antwort.`,
    },
    approved: {
      title: (order) => `Deine Anfrage zur Bestellung ${order} ist genehmigt`,
      opening: (kind) => `Du möchtest ${kind}, und wir sind einverstanden.`,
      returnBy: (date) => `Bitte sende die Ware bis zum ${date} ab. Danach endet die Anfrage.`,
    },
    declined: {
      title: (order) => `Deine Anfrage zur Bestellung ${order} ist abgelehnt`,
      opening: (kind) => `Du möchtest ${kind}. Dem können wir nicht zustimmen, aus diesem Grund:`,
    },
    sent: {
      title: (order) => `Die Ware zu deiner Anfrage zur Bestellung ${order} ist unterwegs`,
      opening: (kind, carrier) =>
        `Du wolltest ${kind}. Die Ware ist ${carrier === null ? '' : `mit ${carrier} `}unterwegs zu dir.`,
    },
  },
}
