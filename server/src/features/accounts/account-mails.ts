import { composeMail, type MailContent, type NewMail } from '../../platform/mail/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { ACCOUNT_LOCALES, type AccountLocale } from './account-locales.ts'
import type { Customer } from './customer-store.ts'

/** What mails are written with. */
export interface MailDeps {
  /** What the site is called now. An operator may change it. */
  siteName(reader: Reader): Promise<string>
  /** The pages door as the world sees it, without a trailing slash. */
  readonly pagesUrl: string
}

/** Who a mail comes from. */
export interface Letterhead {
  readonly siteName: string
  readonly pagesUrl: string
}

export async function letterheadOf(house: MailDeps, reader: Reader): Promise<Letterhead> {
  return { siteName: await house.siteName(reader), pagesUrl: house.pagesUrl }
}

/** The paths of our pages that mails and other pages lead to. */
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
      title: 'Confirm your e-mail address',
      paragraphs: [
        `You asked for an account with ${siteName}. Confirm that this address is yours, and the account is open.`,
      ],
      label: 'Confirm the address',
      closing: [
        'The link works for 24 hours.',
        'If it was not you, do nothing: without the confirmation there is no account.',
      ],
    },
    known: {
      title: 'You already have an account',
      paragraphs: [
        `Somebody, probably you, asked for an account with ${siteName} with this address. There is one already, so nothing was changed: sign in with the password that you have.`,
      ],
      label: 'Choose a new password',
      closing: ['If it was not you, do nothing. Whoever asked was not told that you have an account.'],
    },
    reset: {
      title: 'Choose a new password',
      paragraphs: [`Somebody, probably you, asked for a new password for your account with ${siteName}.`],
      label: 'Choose a new password',
      closing: ['The link works once, for 20 minutes.', 'If it was not you, do nothing: your password stays as it is.'],
    },
    changed: {
      title: 'Your password was changed',
      paragraphs: [
        `The password of your account with ${siteName} was changed just now, and you were signed out everywhere.`,
      ],
      label: 'It was not me',
      closing: ['If it was you, there is nothing to do. If not, choose a new password at once.'],
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
        'Wenn du das nicht warst, tu nichts: Ohne Bestätigung gibt es kein Konto.',
      ],
    },
    known: {
      title: 'Du hast schon ein Konto',
      paragraphs: [
        `Jemand, wahrscheinlich du, wollte mit dieser Adresse ein Konto bei ${siteName} eröffnen. Es gibt schon eines, deshalb wurde nichts geändert: Melde dich mit deinem Passwort an.`,
      ],
      label: 'Neues Passwort wählen',
      closing: ['Wenn du das nicht warst, tu nichts. Wer gefragt hat, hat nicht erfahren, dass du ein Konto hast.'],
    },
    reset: {
      title: 'Wähle ein neues Passwort',
      paragraphs: [`Jemand, wahrscheinlich du, möchte ein neues Passwort für dein Konto bei ${siteName}.`],
      label: 'Neues Passwort wählen',
      closing: ['Der Link gilt einmal, 20 Minuten lang.', 'Wenn du das nicht warst, tu nichts: Dein Passwort bleibt.'],
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

/** Tells a customer that somebody wanted to register with the same address. */
export function knownMail(head: Letterhead, customer: Customer, locale: string): NewMail {
  return mailOf('known', head, customer.email, locale, ACCOUNT_PATHS.reset)
}

/** Lets a customer choose a new password. */
export function resetMail(head: Letterhead, customer: Customer, locale: string, token: string): NewMail {
  return mailOf('reset', head, customer.email, locale, ACCOUNT_PATHS.choosePassword, { token })
}

/** Tells a customer that the password is another one now. */
export function changedMail(head: Letterhead, email: string, locale: string): NewMail {
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
