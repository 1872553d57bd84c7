import { operatorRoleNames, operatorRoles } from '@vitrine/contract/operator'
import { type Dispute, disputesOf, type Intent, intentOf } from '../../../features/payments/index.ts'
import { readSiteName, readTimeZone } from '../../../features/storefront/index.ts'
import { formatTime } from '../../../kernel/format-date.ts'
import { formatMoney } from '../../../kernel/format-money.ts'
import type { Language } from '../../../kernel/languages/languages.ts'
import type { JobHandler } from '../../../platform/jobs/index.ts'
import { composeMail, type NewMail, sendMail } from '../../../platform/mail/index.ts'
import { operatorsWithRoles } from '../../door/account-store.ts'

interface Words {
  readonly title: (site: string, isTest: boolean) => string
  readonly introduction: (amount: string) => string
  readonly deadline: (until: string) => string
  readonly noDeadline: string
  readonly at: (url: string) => string
  readonly label: string
  readonly closing: string
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: (site, isTest) => `${isTest ? 'Test: ' : ''}A payment to ${site} is disputed`,
    introduction: (amount) => `A buyer has disputed ${amount} with their bank.`,
    deadline: (until) => `Respond at the payment provider by ${until}. Without a response the money is lost.`,
    noDeadline: 'Respond at the payment provider. Without a response the money is lost.',
    at: (url) => `The page of the payment provider: ${url}`,
    label: 'Show the payment',
    closing: 'You get this email because your role includes payments.',
  },
  de: {
    title: (site, isTest) => `${isTest ? 'Test: ' : ''}Eine Zahlung an ${site} wurde angefochten`,
    introduction: (amount) => `Ein Käufer hat eine Zahlung bei seiner Bank angefochten: ${amount}.`,
    deadline: (until) => `Antworten Sie beim Zahlungsanbieter bis ${until}. Ohne Antwort ist das Geld verloren.`,
    noDeadline: 'Antworten Sie beim Zahlungsanbieter. Ohne Antwort ist das Geld verloren.',
    at: (url) => `Die Seite des Zahlungsanbieters: ${url}`,
    label: 'Zahlung ansehen',
    closing: 'Sie erhalten diese E-Mail, weil Ihre Rolle Zahlungen umfasst.',
  },
}

/** The roles that can act on payments. */
const ROLES = operatorRoleNames.filter((role) => operatorRoles[role].finance === 'write')

/** Mails the open disputes of a charge to the operators whose role covers payments. */
export function disputeMailJob(operatorUrl: string): JobHandler {
  return async ({ subject: chargeId }, { database, ids, now }) => {
    await database.transaction(async (tx) => {
      const [charge, disputes, siteName, timeZone] = await Promise.all([
        intentOf(tx, chargeId),
        disputesOf(tx, chargeId),
        readSiteName(tx),
        readTimeZone(tx, []),
      ])
      if (!charge) return
      const open = disputes.filter(({ status }) => status === 'open')
      for (const recipient of await operatorsWithRoles(tx, ROLES)) {
        for (const dispute of open) {
          sendMail(tx, disputeMail(dispute, { charge, siteName, timeZone, operatorUrl, ...recipient }), { ids, now })
        }
      }
    })
    return undefined
  }
}

interface About {
  readonly charge: Intent
  readonly siteName: string
  readonly timeZone: string
  readonly operatorUrl: string
  readonly email: string
  readonly language: Language
}

function disputeMail(
  { amount, currency, respondBy, url }: Dispute,
  { charge, siteName, timeZone, operatorUrl, email, language }: About,
): NewMail {
  const text = words[language]
  const title = text.title(siteName, charge.environment === 'test')
  const bodies = composeMail({
    language,
    siteName,
    title,
    paragraphs: [
      text.introduction(formatMoney(language, amount, currency)),
      respondBy ? text.deadline(formatTime(language, respondBy, timeZone)) : text.noDeadline,
      ...(url === null ? [] : [text.at(url)]),
    ],
    action: { label: text.label, url: `${operatorUrl}/payments/${charge.id}` },
    closing: [text.closing],
  })
  return { kind: 'operators.dispute', recipient: email, locale: language, subject: title, bodies }
}
