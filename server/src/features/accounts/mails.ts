import { type Language, languageOf } from '../../kernel/languages/languages.ts'
import { composeMail, type MailContent, type NewMail } from '../../platform/mail/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { Customer } from './customer-store.ts'

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
  home: '/account',
  orders: '/account/orders',
  register: '/account/register',
  confirm: '/account/confirm',
  reset: '/account/reset',
  choosePassword: '/account/reset/confirm',
  signOut: '/account/sign-out',
  addresses: '/account/addresses',
  profile: '/account/profile',
  security: '/account/security',
  confirmEmail: '/account/email/confirm',
  privacy: '/account/privacy',
} as const

type Words = Pick<MailContent, 'title' | 'paragraphs' | 'closing'> & { readonly label?: string }
type Kind = 'confirm' | 'known' | 'reset' | 'changed' | 'address' | 'taken' | 'readdressed' | 'closed'

const texts: Readonly<Record<Language, (siteName: string) => Readonly<Record<Kind, Words>>>> = {
  en: (siteName) => ({
    confirm: {
      title: 'Confirm your email address',
      paragraphs: [`You signed up for an account with ${siteName}. Confirm your email address to activate it.`],
      label: 'Confirm the address',
      closing: [
        'The link is valid for 24 hours.',
        'If this was not you, ignore this email. No account is created without confirmation.',
      ],
    },
    known: {
      title: 'You already have an account',
      paragraphs: [
        `Someone, probably you, tried to create an account with ${siteName} with this address. You already have one: sign in with your password. Nothing was changed.`,
      ],
      label: 'Choose a new password',
      closing: ['If this was not you, ignore this email. We did not reveal that you have an account.'],
    },
    reset: {
      title: 'Choose a new password',
      paragraphs: [`Someone, probably you, asked for a new password for your account with ${siteName}.`],
      label: 'Choose a new password',
      closing: [
        'The link can be used once and is valid for 20 minutes.',
        'If this was not you, ignore this email. Your password stays the same.',
      ],
    },
    changed: {
      title: 'Your password was changed',
      paragraphs: [`The password of your account with ${siteName} was changed. Your other devices were signed out.`],
      label: 'This was not me',
      closing: ['If this was you, there is nothing to do. If not, choose a new password now.'],
    },
    address: {
      title: 'Confirm your new email address',
      paragraphs: [
        `This address was entered as the new one of an account with ${siteName}. Confirm it with the password of the account.`,
      ],
      label: 'Confirm the address',
      closing: ['The link is valid for 24 hours.', 'If this was not you, ignore this email. Nothing is changed.'],
    },
    taken: {
      title: 'You already have an account',
      paragraphs: [
        `Someone, probably you, entered this address as the new one of another account with ${siteName}. You already have an account with it. Nothing was changed.`,
      ],
      closing: ['If this was not you, ignore this email. We did not reveal that you have an account.'],
    },
    readdressed: {
      title: 'Your email address was changed',
      paragraphs: [`Your account with ${siteName} has a new email address. This one can no longer be used to sign in.`],
      closing: ['If this was you, there is nothing to do. If not, contact the shop now.'],
    },
    closed: {
      title: 'Your account was closed',
      paragraphs: [
        `Your account with ${siteName} was closed, and you were signed out on all devices. Orders are kept for as long as the law requires.`,
      ],
      closing: ['If this was not you, contact the shop now.'],
    },
  }),
  de: (siteName) => ({
    confirm: {
      title: 'Bestätige deine E-Mail-Adresse',
      paragraphs: [
        `Du hast dich bei ${siteName} registriert. Bestätige deine E-Mail-Adresse, um dein Konto zu aktivieren.`,
      ],
      label: 'Adresse bestätigen',
      closing: [
        'Der Link ist 24 Stunden gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Ohne Bestätigung wird kein Konto erstellt.',
      ],
    },
    known: {
      title: 'Du hast bereits ein Konto',
      paragraphs: [
        `Mit dieser E-Mail-Adresse sollte ein Konto bei ${siteName} erstellt werden. Du hast bereits eines und kannst dich mit deinem Passwort anmelden. Es wurde nichts geändert.`,
      ],
      label: 'Neues Passwort wählen',
      closing: ['Du warst das nicht? Dann ignoriere diese E-Mail. Dass du ein Konto hast, erfährt sonst niemand.'],
    },
    reset: {
      title: 'Passwort zurücksetzen',
      paragraphs: [`Für dein Konto bei ${siteName} wurde ein neues Passwort angefordert.`],
      label: 'Neues Passwort wählen',
      closing: [
        'Der Link kann einmal verwendet werden und ist 20 Minuten gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
      ],
    },
    changed: {
      title: 'Dein Passwort wurde geändert',
      paragraphs: [
        `Das Passwort für dein Konto bei ${siteName} wurde geändert. Deine anderen Geräte wurden abgemeldet.`,
      ],
      label: 'Das war ich nicht',
      closing: ['Wenn du das warst, ist nichts weiter zu tun. Andernfalls setze dein Passwort sofort zurück.'],
    },
    address: {
      title: 'Bestätige deine neue E-Mail-Adresse',
      paragraphs: [
        `Diese Adresse wurde als neue Adresse eines Kontos bei ${siteName} eingegeben. Bestätige sie mit dem Passwort des Kontos.`,
      ],
      label: 'Adresse bestätigen',
      closing: [
        'Der Link ist 24 Stunden gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Es wird nichts geändert.',
      ],
    },
    taken: {
      title: 'Du hast bereits ein Konto',
      paragraphs: [
        `Diese Adresse wurde als neue Adresse eines anderen Kontos bei ${siteName} eingegeben. Du hast mit ihr bereits ein Konto. Es wurde nichts geändert.`,
      ],
      closing: ['Du warst das nicht? Dann ignoriere diese E-Mail. Dass du ein Konto hast, erfährt sonst niemand.'],
    },
    readdressed: {
      title: 'Deine E-Mail-Adresse wurde geändert',
      paragraphs: [
        `Dein Konto bei ${siteName} hat eine neue E-Mail-Adresse. Mit dieser hier kannst du dich nicht mehr anmelden.`,
      ],
      closing: ['Wenn du das warst, ist nichts weiter zu tun. Andernfalls wende dich sofort an den Shop.'],
    },
    closed: {
      title: 'Dein Konto wurde geschlossen',
      paragraphs: [
        `Dein Konto bei ${siteName} wurde geschlossen, und du wurdest auf allen Geräten abgemeldet. Bestellungen werden so lange aufbewahrt, wie es das Gesetz verlangt.`,
      ],
      closing: ['Du warst das nicht? Dann wende dich sofort an den Shop.'],
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

/** Asks the owner of a new address to confirm it. */
export function newEmailMail(head: Letterhead, to: { email: string; locale: string }, token: string): NewMail {
  return mailOf('address', head, to.email, to.locale, ACCOUNT_PATHS.confirmEmail, { token })
}

/** Notifies a customer that another account was to get their address. */
export function emailTakenMail(head: Letterhead, customer: Customer): NewMail {
  return mailOf('taken', head, customer.email, customer.locale, ACCOUNT_PATHS.home)
}

/** Notifies the earlier address of a customer. */
export function emailChangedMail(head: Letterhead, email: string, locale: string): NewMail {
  return mailOf('readdressed', head, email, locale, ACCOUNT_PATHS.home)
}

/** Notifies a customer that their account was closed. */
export function closedMail(head: Letterhead, { email, locale }: { email: string; locale: string }): NewMail {
  return mailOf('closed', head, email, locale, ACCOUNT_PATHS.home)
}

function mailOf(
  kind: Kind,
  { siteName, pagesUrl }: Letterhead,
  recipient: string,
  locale: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): NewMail {
  const language = languageOf(locale)
  const { label, ...words } = texts[language](siteName)[kind]
  const url = `${pagesUrl}${path}?${new URLSearchParams({ ...query, locale: language })}`
  const bodies = composeMail({ language, siteName, ...words, ...(label !== undefined && { action: { label, url } }) })
  return { kind: `accounts.${kind}`, recipient, locale: language, subject: words.title, bodies }
}
