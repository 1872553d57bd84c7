import type { OperatorRole } from '@vitrine/contract/operator'
import { readSiteName } from '../../../features/storefront/index.ts'
import type { Language } from '../../../kernel/languages/languages.ts'
import type { Randomness } from '../../../kernel/randomness.ts'
import type { JobHandler } from '../../../platform/jobs/index.ts'
import { composeMail, type NewMail, sendMail } from '../../../platform/mail/index.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { createOperatorLink, findOperatorAccount } from '../../door/account-store.ts'

/** The job that mails a link to an operator who has forgotten the password. Its subject is the operator. */
export const OPERATOR_RESET_JOB = 'operators.reset'

type Kind = 'operators.invitation' | 'operators.reset' | 'operators.changed'

interface Words {
  readonly title: string
  readonly introduction: string
  readonly label?: string
  readonly closing: string
}

const roleNames: Readonly<Record<Language, Readonly<Record<OperatorRole, string>>>> = {
  en: {
    owner: 'owner',
    manager: 'manager',
    support: 'support',
    finance: 'finance',
    catalog: 'catalog',
    read_only: 'read-only',
  },
  de: {
    owner: 'Inhaber',
    manager: 'Geschäftsführung',
    support: 'Kundenservice',
    finance: 'Finanzen',
    catalog: 'Katalog',
    read_only: 'nur Lesen',
  },
}

const wordsOf: Readonly<Record<Language, (kind: Kind, site: string, role: string) => Words>> = {
  en: (kind, site, role) =>
    ({
      'operators.invitation': {
        title: `You are invited to manage ${site}`,
        introduction: `You can sign in to the console of ${site} as soon as you have chosen a password. Your role: ${role}.`,
        label: 'Choose a password',
        closing: 'The link can be used once and is valid for seven days.',
      },
      'operators.reset': {
        title: 'Choose a new password',
        introduction: `Someone, probably you, asked for a new password for the console of ${site}.`,
        label: 'Choose a new password',
        closing:
          'The link can be used once and is valid for 20 minutes. If this was not you, ignore this email. Your password stays the same.',
      },
      'operators.changed': {
        title: 'Your password was changed',
        introduction: `The password of your account for the console of ${site} was changed. You were signed out on all other devices.`,
        closing: 'If this was not you, tell an owner of the marketplace now.',
      },
    })[kind],
  de: (kind, site, role) =>
    ({
      'operators.invitation': {
        title: `Einladung zur Verwaltung von ${site}`,
        introduction: `Sie können sich in der Konsole von ${site} anmelden, sobald Sie ein Passwort gewählt haben. Ihre Rolle: ${role}.`,
        label: 'Passwort wählen',
        closing: 'Der Link kann einmal verwendet werden und ist sieben Tage gültig.',
      },
      'operators.reset': {
        title: 'Neues Passwort wählen',
        introduction: `Für Ihren Zugang zur Konsole von ${site} wurde ein neues Passwort angefordert.`,
        label: 'Neues Passwort wählen',
        closing:
          'Der Link kann einmal verwendet werden und ist 20 Minuten gültig. Waren Sie das nicht, ignorieren Sie diese E-Mail. Ihr Passwort bleibt unverändert.',
      },
      'operators.changed': {
        title: 'Ihr Passwort wurde geändert',
        introduction: `Das Passwort für Ihren Zugang zur Konsole von ${site} wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.`,
        closing: 'Waren Sie das nicht, wenden Sie sich sofort an die Inhaber des Marktplatzes.',
      },
    })[kind],
}

interface Recipient {
  readonly email: string
  readonly role: OperatorRole
  readonly language: Language
}

/** The page of the console where a link leads. The token is in the fragment, which no server and no log sees. */
export function linkUrl(operatorUrl: string, token: string): string {
  return `${operatorUrl}/choose-password#${token}`
}

/** An email to an operator, in the language of their browser. */
export async function operatorMail(
  tx: Transaction,
  kind: Kind,
  { email, role, language }: Recipient,
  url?: string,
): Promise<NewMail> {
  const siteName = await readSiteName(tx)
  const { title, introduction, label, closing } = wordsOf[language](kind, siteName, roleNames[language][role])
  const bodies = composeMail({
    language,
    siteName,
    title,
    paragraphs: [introduction],
    ...(label !== undefined && url !== undefined && { action: { label, url } }),
    closing: [closing],
  })
  return { kind, recipient: email, locale: language, subject: title, bodies }
}

/**
 * Mails a reset link. A request for an unknown address enqueues the job as well, for an id that no operator has, so that neither the
 * answer nor its time tells which addresses are known.
 */
export function operatorResetJob(deps: { readonly randomness: Randomness; readonly operatorUrl: string }): JobHandler {
  return async ({ subject: operatorId }, { database, ids, now }) => {
    await database.transaction(async (tx) => {
      const found = await findOperatorAccount(tx, operatorId)
      if (!found || found.disabled_at) return
      const purpose = found.has_password ? 'reset' : 'invitation'
      const { token } = createOperatorLink(tx, { operatorId, purpose }, { now, randomness: deps.randomness })
      sendMail(tx, await operatorMail(tx, `operators.${purpose}`, found, linkUrl(deps.operatorUrl, token)), {
        ids,
        now,
      })
    })
    return undefined
  }
}
