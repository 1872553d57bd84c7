import { composeMail, type MailContent, type NewMail } from '../../platform/mail/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { Customer } from './customer-store.ts'
import { ACCOUNT_LOCALES, type AccountLocale } from './locales.ts'

export interface MailDeps {
  /** The current site name. An operator can change it. */
  siteName(reader: Reader): Promise<string>
  /** Public URL of the pages door, without a trailing slash. */
  readonly pagesUrl: string
}

/** The sender shown in a mail. */
export interface Letterhead {
  readonly siteName: string
  readonly pagesUrl: string
}

export async function letterheadOf(deps: MailDeps, reader: Reader): Promise<Letterhead> {
  return { siteName: await deps.siteName(reader), pagesUrl: deps.pagesUrl }
}

/** Paths of the account pages that mails and other pages link to. */
export const ACCOUNT_PATHS = {
  register: '/account/register',
  confirm: '/account/confirm',
  reset: '/account/reset',
  choosePassword: '/account/reset/confirm',
} as const

type Words = Pick<MailContent, 'title' | 'paragraphs' | 'closing'> & { readonly label?: string }
type Kind = 'confirm' | 'known' | 'reset' | 'changed'

const texts: Readonly<Record<AccountLocale, (siteName: string) => Readonly<Record<Kind, Words>>>> = {
  en: (siteName) => ({
    confirm: {
      title: 'Confirm your email address',
      paragraphs: [
        `You asked for an account with ${siteName}. Confirm that this address is yours to open the account.`,
      ],
      label: 'Confirm the address',
      closing: [
        'The link works for 24 hours.',
        'If this was not you, ignore this email: without the confirmation, no account is created.',
      ],
    },
    known: {
      title: 'You already have an account',
      paragraphs: [
        `Someone, probably you, tried to open an account with ${siteName} with this address. You already have one, so nothing was changed: sign in with your current password.`,
      ],
      label: 'Choose a new password',
      closing: ['If this was not you, ignore this email. We did not reveal that you have an account.'],
    },
    reset: {
      title: 'Choose a new password',
      paragraphs: [`Someone, probably you, asked for a new password for your account with ${siteName}.`],
      label: 'Choose a new password',
      closing: [
        'The link works once, for 20 minutes.',
        'If this was not you, ignore this email: your password stays the same.',
      ],
    },
    changed: {
      title: 'Your password was changed',
      paragraphs: [
        `The password of your account with ${siteName} was just changed, and you were signed out everywhere.`,
      ],
      label: 'This was not me',
      closing: ['If this was you, there is nothing to do. If not, choose a new password now.'],
    },
  }),
  de: (siteName) => ({
    confirm: {
      title: 'Bestätige deine E-Mail-Adresse',
      paragraphs: [
        `Du möchtest ein Konto bei ${siteName}. Bestätige, dass diese Adresse dir gehört, und das Konto ist eröffnet.`,
      ],
      label: 'Adresse bestätigen',
      closing: [
        'Der Link gilt 24 Stunden.',
        'Wenn du das nicht warst, ignoriere diese E-Mail: Ohne Bestätigung wird kein Konto eröffnet.',
      ],
    },
    known: {
      title: 'Du hast schon ein Konto',
      paragraphs: [
        `Jemand, wahrscheinlich du, wollte mit dieser Adresse ein Konto bei ${siteName} eröffnen. Es gibt schon eines, deshalb wurde nichts geändert: Melde dich mit deinem Passwort an.`,
      ],
      label: 'Neues Passwort wählen',
      closing: ['Wenn du das nicht warst, ignoriere diese E-Mail. Dass du ein Konto hast, haben wir nicht verraten.'],
    },
    reset: {
      title: 'Wähle ein neues Passwort',
      paragraphs: [`Jemand, wahrscheinlich du, möchte ein neues Passwort für dein Konto bei ${siteName}.`],
      label: 'Neues Passwort wählen',
      closing: [
        'Der Link gilt einmal, 20 Minuten lang.',
        'Wenn du das nicht warst, ignoriere diese E-Mail: Dein Passwort bleibt unverändert.',
      ],
    },
    changed: {
      title: 'Dein Passwort wurde geändert',
      paragraphs: [
        `Das Passwort deines Kontos bei ${siteName} wurde gerade geändert, und du wurdest überall abgemeldet.`,
      ],
      label: 'Das war ich nicht',
      closing: ['Wenn du das warst, ist nichts zu tun. Wenn nicht, wähle sofort ein neues Passwort.'],
    },
  }),
}

/** Asks the owner of an address to confirm it. */
export function confirmMail(head: Letterhead, to: { email: string; locale: string }, token: string): NewMail {
  return mailOf('confirm', head, to.email, to.locale, ACCOUNT_PATHS.confirm, { token })
}

/** Notifies a customer of an attempt to register with their address. */
export function accountExistsMail(head: Letterhead, customer: Customer, locale: string): NewMail {
  return mailOf('known', head, customer.email, locale, ACCOUNT_PATHS.reset)
}

/** Sends a link to choose a new password. */
export function resetMail(head: Letterhead, customer: Customer, locale: string, token: string): NewMail {
  return mailOf('reset', head, customer.email, locale, ACCOUNT_PATHS.choosePassword, { token })
}

/** Notifies a customer that their password was changed. */
export function passwordChangedMail(head: Letterhead, email: string, locale: string): NewMail {
  return mailOf('changed', head, email, locale, ACCOUNT_PATHS.reset)
}

function mailOf(
  kind: Kind,
  { siteName, pagesUrl }: Letterhead,
  recipient: string,
  locale: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): NewMail {
  const language = ACCOUNT_LOCALES.find((each) => each === locale) ?? 'en'
  const { label, ...words } = texts[language](siteName)[kind]
  const url = `${pagesUrl}${path}?${new URLSearchParams({ ...query, locale: language })}`
  const bodies = composeMail({ language, siteName, ...words, ...(label !== undefined && { action: { label, url } }) })
  return { kind: `accounts.${kind}`, recipient, locale: language, subject: words.title, bodies }
}
