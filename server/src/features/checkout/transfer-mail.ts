import { formatDate } from '../../kernel/format-date.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import { type Language, writingFor } from '../../kernel/languages/languages.ts'
import { type DefaultWords, fillWords } from '../../kernel/languages/mail-words.ts'
import {
  composeMail,
  type EditableMail,
  type EditedWords,
  type NewMail,
  readEditedWords,
  sendMail,
  wordsInForce,
} from '../../platform/mail/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { MailSample } from '../orders/index.ts'
import { bankAccountIn, epcText, type Intent, qrCodePicture, transferReference } from '../payments/index.ts'
import { readSiteName } from '../storefront/index.ts'
import { confirmTransferUrl, holdOf } from './confirm-transfer.ts'
import type { OrderingDeps } from './deps.ts'
import type { LoadedSession } from './session-store.ts'
import { givenAccount, lastDayOf } from './transfer.ts'

const KIND = 'checkout.transfer'
const PLACEHOLDERS = ['site.name', 'transfer.amount', 'transfer.reference', 'transfer.until'] as const

/** The default texts, which operators can edit. */
const transferWords: DefaultWords = {
  en: {
    subject: 'Complete your bank transfer',
    heading: 'Complete your bank transfer',
    introduction: 'We’ll place your order when your payment arrives, and reserve your items until then.',
    closing: '',
  },
  de: {
    subject: 'Bitte überweise den Betrag',
    heading: 'Bitte überweise den Betrag',
    introduction: 'Nach Zahlungseingang wird deine Bestellung aufgegeben. Bis dahin reservieren wir deine Artikel.',
    closing: '',
  },
}

/** The fixed texts, which operators cannot edit. */
interface Terms {
  readonly heading: string
  readonly amount: string
  readonly reference: string
  readonly account: string
  readonly until: string
  readonly code: string
  readonly ask: string
  readonly closing: string
  readonly test: string
  readonly confirm: (duration: string, until: string) => string
  readonly confirmLabel: string
}

const texts: Readonly<Record<Language, Terms>> = {
  en: {
    heading: 'Payment',
    amount: 'Amount',
    reference: 'Reference',
    account: 'Account',
    until: 'Reserved until',
    code: 'QR code: scan it with your banking app to fill in the transfer.',
    ask: 'The shop will tell you its bank details.',
    closing: 'Include the reference so that we can match your payment. If you no longer want the items, do nothing.',
    test: 'This is a test. Please do not transfer any money.',
    confirm: (duration, until) =>
      `Confirm your email address within ${duration}, and we’ll reserve your items until ${until}. Otherwise the reservation ends, and we’ll refund any transfer that arrives later.`,
    confirmLabel: 'Confirm and reserve',
  },
  de: {
    heading: 'Zahlung',
    amount: 'Betrag',
    reference: 'Verwendungszweck',
    account: 'Konto',
    until: 'Reserviert bis',
    code: 'QR-Code: Scanne ihn mit deiner Banking-App. Sie füllt die Überweisung aus.',
    ask: 'Die Bankverbindung erhältst du vom Shop.',
    closing:
      'Gib den Verwendungszweck an, damit wir deine Zahlung zuordnen können. Möchtest du die Artikel nicht mehr, musst du nichts tun.',
    test: 'Dies ist ein Test. Bitte überweise kein Geld.',
    confirm: (duration, until) =>
      `Bestätige deine E-Mail-Adresse innerhalb von ${duration}, dann reservieren wir deine Artikel bis zum ${until}. Andernfalls endet die Reservierung, und wir erstatten eine später eingehende Überweisung.`,
    confirmLabel: 'Bestätigen und reservieren',
  },
}

/** A transfer to request. */
interface TransferToMail extends Pick<Intent, 'id' | 'amount' | 'currency' | 'environment'> {
  readonly recipient: string
  readonly storeIds: readonly string[]
  /** As text. `null`: the shop sends its bank details itself. */
  readonly account: string | null
  readonly until: Date
  /** `null`: the address needs no confirmation. */
  readonly confirmation: { readonly url: string; readonly withinMs: number } | null
}

const PICTURE_SIZE = 200

/** A duration such as `60 minutes`. Not a time of day, because the shopper's time zone is unknown. */
function minutesText(ms: number, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute', unitDisplay: 'long' })
  return format.format(Math.floor(ms / 60_000))
}

/** Compose the mail with amount, reference, account and deadline, and for euros with a QR code for banking apps. */
function composeTransferMail(
  transfer: TransferToMail,
  { siteName, edited, locale: asked }: { siteName: string; edited: readonly EditedWords[]; locale: string },
): NewMail {
  const { language, locale } = writingFor(asked)
  const { recipient, storeIds, account, confirmation, environment } = transfer
  const terms = texts[language]
  const isTest = environment === 'test'
  const amount = formatMoney(locale, transfer.amount, transfer.currency)
  const reference = transferReference(transfer)
  const until = formatDate(locale, lastDayOf(transfer.until))
  const words = wordsInForce(edited, { kind: KIND, language, storeIds }) ?? transferWords[language]
  const { subject, title, paragraphs, farewell } = fillWords(words, {
    'site.name': siteName,
    'transfer.amount': amount,
    'transfer.reference': reference,
    'transfer.until': until,
  } satisfies Record<(typeof PLACEHOLDERS)[number], string>)
  const bank = bankAccountIn(account ?? '')
  const code = bank && epcText(bank, transfer, reference)
  const rows = [
    { label: terms.amount, value: amount, isStrong: true },
    { label: terms.reference, value: reference },
    { label: terms.until, value: until },
  ]
  const bodies = composeMail({
    language,
    siteName,
    title,
    paragraphs: [
      ...paragraphs,
      ...(confirmation ? [terms.confirm(minutesText(confirmation.withinMs, locale), until)] : []),
      account === null ? terms.ask : `${terms.account}:\n${account}`,
    ],
    ...(confirmation && { action: { label: terms.confirmLabel, url: confirmation.url } }),
    payment: {
      heading: terms.heading,
      rows,
      ...(code !== null && { picture: { url: qrCodePicture(code), alt: terms.code, size: PICTURE_SIZE } }),
    },
    farewell,
    closing: [terms.closing, ...(isTest ? [terms.test] : [])],
  })
  return { kind: KIND, recipient, locale: language, subject: isTest ? `[Test] ${subject}` : subject, bodies, storeIds }
}

/** Mail amount, reference, account and deadline to a shopper who pays by bank transfer. */
export async function mailTransferDetails(
  tx: Transaction,
  { session, quote }: LoadedSession,
  charge: Intent,
  deps: Pick<OrderingDeps, 'transfer' | 'pagesUrl' | 'pageSecret'>,
  context: EventContext,
): Promise<void> {
  const recipient = session.contact?.email
  if (recipient === undefined) return
  const storeIds = [...new Set(quote.lines.map(({ storeId }) => storeId))]
  const [account, siteName, edited] = await Promise.all([
    givenAccount(tx, charge, quote, deps.transfer),
    readSiteName(tx),
    readEditedWords(tx, KIND, storeIds),
  ])
  const { id, amount, currency, environment } = charge
  const { isConfirmed, until } = holdOf(session, charge, deps.transfer)
  const withinMs = session.expiresAt.getTime() - context.now.getTime()
  const confirmation = isConfirmed ? null : { url: confirmTransferUrl(deps, session, quote.locale), withinMs }
  const transfer = { id, amount, currency, environment, recipient, storeIds, account, until, confirmation }
  sendMail(tx, composeTransferMail(transfer, { siteName, edited, locale: quote.locale }), context)
}

const SAMPLE_ACCOUNT = 'Linen & Loom GmbH\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001'
const SAMPLE_MS = 3 * 86_400_000

/** The checkout mails whose texts operators can edit. */
export const editableCheckoutMails: readonly EditableMail<MailSample>[] = [
  {
    kind: KIND,
    isOfStores: true,
    words: transferWords,
    placeholders: PLACEHOLDERS,
    sample: ({ language, storeId, siteName, edited, now }) =>
      composeTransferMail(
        {
          id: 'pay_01k5b7m2q8e9rtv3w4x5y6z7a8',
          amount: 5680n,
          currency: 'EUR',
          environment: 'live',
          recipient: 'ada@example.com',
          storeIds: [storeId],
          account: SAMPLE_ACCOUNT,
          until: new Date(now.getTime() + SAMPLE_MS),
          confirmation: null,
        },
        { siteName, edited, locale: language },
      ),
  },
]
