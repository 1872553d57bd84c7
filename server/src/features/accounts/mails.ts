import { type Language, languageOf } from '../../kernel/languages/languages.ts'
import { type DefaultWords, fillWords, words } from '../../kernel/languages/mail-words.ts'
import {
  composeMail,
  type EditableMail,
  type EditedWords,
  type NewMail,
  readEditedWords,
  wordsInForce,
} from '../../platform/mail/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import type { Customer } from './customer-store.ts'

export interface MailDeps {
  /** The current site name. An operator can change it. */
  siteName(reader: Reader): Promise<string>
  /** Public URL of the pages door, without a trailing slash. */
  readonly pagesUrl: string
}

/** The site name, base URL and edited texts of a mail. */
export interface Letterhead {
  readonly siteName: string
  readonly pagesUrl: string
  /** The texts that an operator has edited. */
  readonly edited: readonly EditedWords[]
}

export async function letterheadOf(deps: MailDeps, reader: Reader): Promise<Letterhead> {
  const [siteName, edited] = await Promise.all([deps.siteName(reader), readEditedWords(reader, 'accounts.')])
  return { siteName, pagesUrl: deps.pagesUrl, edited }
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

type AccountMailKind =
  | 'accounts.confirm'
  | 'accounts.known'
  | 'accounts.reset'
  | 'accounts.changed'
  | 'accounts.address'
  | 'accounts.taken'
  | 'accounts.readdressed'
  | 'accounts.closed'

/** The default text of each mail. An operator can edit it. */
const accountMailWords: Readonly<Record<AccountMailKind, DefaultWords>> = {
  'accounts.confirm': {
    en: words(
      'Confirm your email address',
      'You signed up for an account with {{site.name}}. Confirm your email address to activate it.',
    ),
    de: words(
      'Bestätige deine E-Mail-Adresse',
      'Du hast dich bei {{site.name}} registriert. Bestätige deine E-Mail-Adresse, um dein Konto zu aktivieren.',
    ),
  },
  'accounts.known': {
    en: words(
      'You already have an account',
      'Someone, probably you, tried to create an account with {{site.name}} with this address. You already have one: sign in with your password. Nothing was changed.',
    ),
    de: words(
      'Du hast bereits ein Konto',
      'Mit dieser E-Mail-Adresse sollte ein Konto bei {{site.name}} erstellt werden. Du hast bereits eines und kannst dich mit deinem Passwort anmelden. Es wurde nichts geändert.',
    ),
  },
  'accounts.reset': {
    en: words(
      'Choose a new password',
      'Someone, probably you, asked for a new password for your account with {{site.name}}.',
    ),
    de: words('Passwort zurücksetzen', 'Für dein Konto bei {{site.name}} wurde ein neues Passwort angefordert.'),
  },
  'accounts.changed': {
    en: words(
      'Your password was changed',
      'The password of your account with {{site.name}} was changed. Your other devices were signed out.',
    ),
    de: words(
      'Dein Passwort wurde geändert',
      'Das Passwort für dein Konto bei {{site.name}} wurde geändert. Deine anderen Geräte wurden abgemeldet.',
    ),
  },
  'accounts.address': {
    en: words(
      'Confirm your new email address',
      'This address was entered as the new email address of an account with {{site.name}}. Confirm it with the password of that account.',
    ),
    de: words(
      'Bestätige deine neue E-Mail-Adresse',
      'Diese Adresse wurde als neue Adresse eines Kontos bei {{site.name}} eingegeben. Bestätige sie mit dem Passwort des Kontos.',
    ),
  },
  'accounts.taken': {
    en: words(
      'You already have an account',
      'Someone, probably you, entered this address as the new email address of another account with {{site.name}}. You already have an account with this address. Nothing was changed.',
    ),
    de: words(
      'Du hast bereits ein Konto',
      'Diese Adresse wurde als neue Adresse eines anderen Kontos bei {{site.name}} eingegeben. Du hast mit ihr bereits ein Konto. Es wurde nichts geändert.',
    ),
  },
  'accounts.readdressed': {
    en: words(
      'Your email address was changed',
      'Your account with {{site.name}} has a new email address. This one can no longer be used to sign in.',
    ),
    de: words(
      'Deine E-Mail-Adresse wurde geändert',
      'Dein Konto bei {{site.name}} hat eine neue E-Mail-Adresse. Mit dieser hier kannst du dich nicht mehr anmelden.',
    ),
  },
  'accounts.closed': {
    en: words(
      'Your account was closed',
      'Your account with {{site.name}} was closed, and you were signed out on all devices. Orders are kept for as long as the law requires.',
    ),
    de: words(
      'Dein Konto wurde geschlossen',
      'Dein Konto bei {{site.name}} wurde geschlossen, und du wurdest auf allen Geräten abgemeldet. Bestellungen werden so lange aufbewahrt, wie es das Gesetz verlangt.',
    ),
  },
}

/** The fixed part of each mail: the button, the validity of its link, and what to do if the recipient did not cause the mail. */
interface Terms {
  readonly label?: string
  readonly closing: readonly string[]
}

const terms: Readonly<Record<Language, Readonly<Record<AccountMailKind, Terms>>>> = {
  en: {
    'accounts.confirm': {
      label: 'Confirm the address',
      closing: [
        'The link is valid for 24 hours.',
        'If this was not you, ignore this email. No account is created without confirmation.',
      ],
    },
    'accounts.known': {
      label: 'Choose a new password',
      closing: ['If this was not you, ignore this email. We did not reveal that you have an account.'],
    },
    'accounts.reset': {
      label: 'Choose a new password',
      closing: [
        'The link can be used once and is valid for 20 minutes.',
        'If this was not you, ignore this email. Your password stays the same.',
      ],
    },
    'accounts.changed': {
      label: 'This was not me',
      closing: ['If this was you, there is nothing to do. If not, choose a new password now.'],
    },
    'accounts.address': {
      label: 'Confirm the address',
      closing: ['The link is valid for 24 hours.', 'If this was not you, ignore this email. Nothing is changed.'],
    },
    'accounts.taken': {
      closing: ['If this was not you, ignore this email. We did not reveal that you have an account.'],
    },
    'accounts.readdressed': { closing: ['If this was you, there is nothing to do. If not, contact the shop now.'] },
    'accounts.closed': { closing: ['If this was not you, contact the shop now.'] },
  },
  de: {
    'accounts.confirm': {
      label: 'Adresse bestätigen',
      closing: [
        'Der Link ist 24 Stunden gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Ohne Bestätigung wird kein Konto erstellt.',
      ],
    },
    'accounts.known': {
      label: 'Neues Passwort wählen',
      closing: ['Du warst das nicht? Dann ignoriere diese E-Mail. Dass du ein Konto hast, erfährt sonst niemand.'],
    },
    'accounts.reset': {
      label: 'Neues Passwort wählen',
      closing: [
        'Der Link kann einmal verwendet werden und ist 20 Minuten gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
      ],
    },
    'accounts.changed': {
      label: 'Das war ich nicht',
      closing: ['Wenn du das warst, ist nichts weiter zu tun. Andernfalls setze dein Passwort sofort zurück.'],
    },
    'accounts.address': {
      label: 'Adresse bestätigen',
      closing: [
        'Der Link ist 24 Stunden gültig.',
        'Du warst das nicht? Dann ignoriere diese E-Mail. Es wird nichts geändert.',
      ],
    },
    'accounts.taken': {
      closing: ['Du warst das nicht? Dann ignoriere diese E-Mail. Dass du ein Konto hast, erfährt sonst niemand.'],
    },
    'accounts.readdressed': {
      closing: ['Wenn du das warst, ist nichts weiter zu tun. Andernfalls wende dich sofort an den Shop.'],
    },
    'accounts.closed': { closing: ['Du warst das nicht? Dann wende dich sofort an den Shop.'] },
  },
}

type Addressee = Pick<Customer, 'email' | 'locale'>

/** Asks the owner of an address to confirm it. */
export function confirmMail(head: Letterhead, to: Addressee, token: string): NewMail {
  return mailOf('accounts.confirm', head, to, ACCOUNT_PATHS.confirm, { token })
}

/** Notifies a customer of an attempt to register with their address. */
export function accountExistsMail(head: Letterhead, { email }: Customer, locale: string): NewMail {
  return mailOf('accounts.known', head, { email, locale }, ACCOUNT_PATHS.reset)
}

/** Sends a link to choose a new password. */
export function resetMail(head: Letterhead, { email }: Customer, locale: string, token: string): NewMail {
  return mailOf('accounts.reset', head, { email, locale }, ACCOUNT_PATHS.choosePassword, { token })
}

/** Notifies a customer that their password was changed. */
export function passwordChangedMail(head: Letterhead, customer: Addressee): NewMail {
  return mailOf('accounts.changed', head, customer, ACCOUNT_PATHS.reset)
}

/** Asks the owner of a new address to confirm it. */
export function newEmailMail(head: Letterhead, to: Addressee, token: string): NewMail {
  return mailOf('accounts.address', head, to, ACCOUNT_PATHS.confirmEmail, { token })
}

/** Notifies a customer of an attempt to use their address for another account. */
export function emailTakenMail(head: Letterhead, customer: Customer): NewMail {
  return mailOf('accounts.taken', head, customer, ACCOUNT_PATHS.home)
}

/** Notifies a customer, at the previous address, that their address was changed. */
export function emailChangedMail(head: Letterhead, customer: Addressee): NewMail {
  return mailOf('accounts.readdressed', head, customer, ACCOUNT_PATHS.home)
}

/** Notifies a customer that their account was closed. */
export function closedMail(head: Letterhead, customer: Addressee): NewMail {
  return mailOf('accounts.closed', head, customer, ACCOUNT_PATHS.home)
}

/** The account mails. An operator can edit their texts. */
export const editableAccountMails: readonly EditableMail<Letterhead & { readonly language: Language }>[] = (
  Object.keys(accountMailWords) as AccountMailKind[]
).map((kind) => ({
  kind,
  isOfStores: false,
  words: accountMailWords[kind],
  placeholders: ['site.name'],
  sample: ({ language, ...head }) =>
    mailOf(kind, head, { email: 'ada@example.com', locale: language }, ACCOUNT_PATHS.home),
}))

function mailOf(
  kind: AccountMailKind,
  { siteName, pagesUrl, edited }: Letterhead,
  { email: recipient, locale }: Addressee,
  path: string,
  query: Readonly<Record<string, string>> = {},
): NewMail {
  const language = languageOf(locale)
  const { label, closing } = terms[language][kind]
  const inForce = wordsInForce(edited, { kind, language, storeIds: [] }) ?? accountMailWords[kind][language]
  const { subject, ...filled } = fillWords(inForce, { 'site.name': siteName })
  const url = `${pagesUrl}${path}?${new URLSearchParams({ ...query, locale: language })}`
  const bodies = composeMail({
    language,
    siteName,
    ...filled,
    ...(label !== undefined && { action: { label, url } }),
    closing,
  })
  return { kind, recipient, locale: language, subject, bodies }
}
