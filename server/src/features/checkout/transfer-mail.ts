import { formatDate } from '../../kernel/format-date.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import { type Language, writingFor } from '../../kernel/languages/languages.ts'
import { type DefaultWords, fillWords } from '../../kernel/languages/mail-words.ts'
import { enqueue, type JobHandlers } from '../../platform/jobs/index.ts'
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
import {
  bankAccountIn,
  epcText,
  type Intent,
  intentOf,
  qrCodePicture,
  receivedOf,
  transferReference,
} from '../payments/index.ts'
import { readSiteName, readTimeZone } from '../storefront/index.ts'
import { confirmTransferUrl, holdOf } from './confirm-transfer.ts'
import type { OrderingDeps } from './deps.ts'
import { findSessionById, type LoadedSession } from './session-store.ts'
import { givenAccount, lastDayOf } from './transfer.ts'

type Kind = 'checkout.transfer' | 'checkout.transfer_rest'
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

/** The default texts for a transfer that was paid in part. */
const restWords: DefaultWords = {
  en: {
    subject: 'Part of your payment is missing',
    heading: 'Part of your payment is missing',
    introduction:
      'Your bank transfer was less than the amount due. Please transfer the rest, and we’ll place your order.',
    closing: '',
  },
  de: {
    subject: 'Ein Teil deiner Zahlung fehlt',
    heading: 'Ein Teil deiner Zahlung fehlt',
    introduction:
      'Deine Überweisung war niedriger als der fällige Betrag. Bitte überweise den Rest, dann wird deine Bestellung aufgegeben.',
    closing: '',
  },
}

/** The fixed texts, which operators cannot edit. */
interface Terms {
  readonly heading: string
  readonly amount: string
  readonly received: string
  readonly rest: string
  readonly reference: string
  readonly account: string
  readonly until: string
  readonly code: string
  readonly ask: string
  readonly closing: string
  readonly closingOfRest: string
  readonly test: string
  readonly confirm: (duration: string, until: string) => string
  readonly confirmLabel: string
}

const texts: Readonly<Record<Language, Terms>> = {
  en: {
    heading: 'Payment',
    amount: 'Amount',
    received: 'Received',
    rest: 'Still to pay',
    reference: 'Reference',
    account: 'Account',
    until: 'Reserved until',
    code: 'QR code: scan it with your banking app to fill in the transfer.',
    ask: 'The shop will tell you its bank details.',
    closing: 'Include the reference so that we can match your payment. If you no longer want the items, do nothing.',
    closingOfRest:
      'Include the reference so that we can match your payment. If the rest does not arrive in time, the reservation ends, and we’ll refund what you have paid.',
    test: 'This is a test. Please do not transfer any money.',
    confirm: (duration, until) =>
      `Confirm your email address within ${duration}, and we’ll reserve your items until ${until}. Otherwise the reservation ends, and we’ll refund any transfer that arrives later.`,
    confirmLabel: 'Confirm and reserve',
  },
  de: {
    heading: 'Zahlung',
    amount: 'Betrag',
    received: 'Erhalten',
    rest: 'Noch zu zahlen',
    reference: 'Verwendungszweck',
    account: 'Konto',
    until: 'Reserviert bis',
    code: 'QR-Code: Scanne ihn mit deiner Banking-App. Sie füllt die Überweisung aus.',
    ask: 'Die Bankverbindung erhältst du vom Shop.',
    closing:
      'Gib den Verwendungszweck an, damit wir deine Zahlung zuordnen können. Möchtest du die Artikel nicht mehr, musst du nichts tun.',
    closingOfRest:
      'Gib den Verwendungszweck an, damit wir deine Zahlung zuordnen können. Kommt der Rest nicht rechtzeitig an, endet die Reservierung, und wir erstatten, was du gezahlt hast.',
    test: 'Dies ist ein Test. Bitte überweise kein Geld.',
    confirm: (duration, until) =>
      `Bestätige deine E-Mail-Adresse innerhalb von ${duration}, dann reservieren wir deine Artikel bis zum ${until}. Andernfalls endet die Reservierung, und wir erstatten eine später eingehende Überweisung.`,
    confirmLabel: 'Bestätigen und reservieren',
  },
}

/** A transfer to request. */
interface TransferToMail extends Pick<Intent, 'id' | 'amount' | 'currency' | 'environment'> {
  /** What was received of the amount: the rest is requested. `0n`: nothing yet. */
  readonly received: bigint
  readonly recipient: string
  readonly storeIds: readonly string[]
  /** As text. `null`: the shop sends its bank details itself. */
  readonly account: string | null
  readonly until: Date
  /** That of the sellers. */
  readonly timeZone: string
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
  const isRest = transfer.received > 0n
  const kind: Kind = isRest ? 'checkout.transfer_rest' : 'checkout.transfer'
  const due = { ...transfer, amount: transfer.amount - transfer.received }
  const money = (amount: bigint) => formatMoney(locale, amount, transfer.currency)
  const reference = transferReference(transfer)
  const until = formatDate(locale, lastDayOf(transfer.until), transfer.timeZone)
  const words = wordsInForce(edited, { kind, language, storeIds }) ?? (isRest ? restWords : transferWords)[language]
  const { subject, title, paragraphs, farewell } = fillWords(words, {
    'site.name': siteName,
    'transfer.amount': money(due.amount),
    'transfer.reference': reference,
    'transfer.until': until,
  } satisfies Record<(typeof PLACEHOLDERS)[number], string>)
  const bank = bankAccountIn(account ?? '')
  const code = bank && epcText(bank, due, reference)
  const rows = [
    { label: terms.amount, value: money(transfer.amount), isStrong: !isRest },
    ...(isRest
      ? [
          { label: terms.received, value: money(transfer.received) },
          { label: terms.rest, value: money(due.amount), isStrong: true },
        ]
      : []),
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
    closing: [isRest ? terms.closingOfRest : terms.closing, ...(isTest ? [terms.test] : [])],
  })
  return { kind, recipient, locale: language, subject: isTest ? `[Test] ${subject}` : subject, bodies, storeIds }
}

type MailDeps = Pick<OrderingDeps, 'transfer' | 'pagesUrl' | 'pageSecret'>

/** Mail amount, reference, account and deadline to a shopper who pays by bank transfer. */
export async function mailTransferDetails(
  tx: Transaction,
  { session, quote }: LoadedSession,
  charge: Intent,
  deps: MailDeps,
  context: EventContext,
): Promise<void> {
  const { isConfirmed, until } = holdOf(session, charge, deps.transfer)
  const withinMs = session.expiresAt.getTime() - context.now.getTime()
  const confirmation = isConfirmed ? null : { url: confirmTransferUrl(deps, session, quote.locale), withinMs }
  await mail(tx, { session, quote }, { charge, received: 0n, until, confirmation }, deps, context)
}

interface Asked extends Pick<TransferToMail, 'received' | 'until' | 'confirmation'> {
  readonly charge: Intent
}

async function mail(
  tx: Transaction,
  { session, quote }: LoadedSession,
  { charge, ...asked }: Asked,
  deps: Pick<MailDeps, 'transfer'>,
  context: EventContext,
): Promise<void> {
  const recipient = session.contact?.email
  if (recipient === undefined) return
  const storeIds = [...new Set(quote.lines.map(({ storeId }) => storeId))]
  const kind: Kind = asked.received > 0n ? 'checkout.transfer_rest' : 'checkout.transfer'
  const [account, siteName, edited, timeZone] = await Promise.all([
    givenAccount(tx, charge, quote, deps.transfer),
    readSiteName(tx),
    readEditedWords(tx, kind, storeIds),
    readTimeZone(tx, storeIds),
  ])
  const { id, amount, currency, environment } = charge
  const transfer = { id, amount, currency, environment, recipient, storeIds, account, timeZone, ...asked }
  sendMail(tx, composeTransferMail(transfer, { siteName, edited, locale: quote.locale }), context)
}

const REST_JOB = 'checkout.transfer_rest'
/** By then all lines of a bank statement are booked: another one of them may have the rest. */
const REST_AFTER_MS = 5 * 60_000

/** Enqueues a mail that asks for the rest of a transfer, of which a part was booked. */
export function enqueueRestMail(tx: Transaction, chargeId: string, { ids, now }: EventContext): void {
  enqueue(tx, { kind: REST_JOB, subject: chargeId, runAt: new Date(now.getTime() + REST_AFTER_MS) }, ids)
}

export function transferJobs(deps: Pick<MailDeps, 'transfer'>): JobHandlers {
  return {
    [REST_JOB]: async ({ subject: chargeId }, { database, ids, now }) => {
      await database.transaction(async (tx) => {
        const [charge, received] = await Promise.all([intentOf(tx, chargeId), receivedOf(tx, chargeId)])
        const loaded = charge && (await findSessionById(tx, charge.subjectId, now))
        // Paid, expired or canceled since.
        if (!charge || loaded?.session.status !== 'requires_action' || loaded.session.chargeId !== chargeId) return
        if (received === 0n || received >= charge.amount) return
        const asked = { charge, received, until: loaded.session.expiresAt, confirmation: null }
        await mail(tx, loaded, asked, deps, { ids, now })
      })
      return undefined
    },
  }
}

const SAMPLE_ACCOUNT = 'Linen & Loom GmbH\nIBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001'
const SAMPLE_MS = 3 * 86_400_000

/** The checkout mails whose texts operators can edit. */
export const editableCheckoutMails: readonly EditableMail<MailSample>[] = (
  [
    ['checkout.transfer', transferWords, 0n],
    ['checkout.transfer_rest', restWords, 2000n],
  ] as const
).map(([kind, words, received]) => ({
  kind,
  isOfStores: true,
  words,
  placeholders: PLACEHOLDERS,
  sample: ({ language, storeId, siteName, edited, now }) =>
    composeTransferMail(
      {
        id: 'pay_01k5b7m2q8e9rtv3w4x5y6z7a8',
        amount: 5680n,
        received,
        currency: 'EUR',
        environment: 'live',
        recipient: 'ada@example.com',
        storeIds: [storeId],
        account: SAMPLE_ACCOUNT,
        until: new Date(now.getTime() + SAMPLE_MS),
        timeZone: 'UTC',
        confirmation: null,
      },
      { siteName, edited, locale: language },
    ),
}))
