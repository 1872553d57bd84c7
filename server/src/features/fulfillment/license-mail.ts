import { type Language, writingFor } from '../../kernel/languages/languages.ts'
import { type DefaultWords, fillWords, words } from '../../kernel/languages/mail-words.ts'
import {
  composeMail,
  type EditableMail,
  type EditedWords,
  type MailRow,
  type NewMail,
  wordsInForce,
} from '../../platform/mail/index.ts'

import { linkInMail, type MailSample, type OrderLink, sampleLink } from '../orders/index.ts'

/** The keys of an order line. */
interface LineKeys {
  readonly name: string
  readonly keys: readonly string[]
}

/** Contents of a mail with keys. */
interface KeysDelivery {
  readonly siteName: string
  readonly recipient: string
  /** The order's locale. */
  readonly locale: string
  readonly orderNumber: string
  readonly lines: readonly LineKeys[]
  readonly storeIds: readonly string[]
  /** To the page of the order. */
  readonly link: OrderLink | null
  readonly isTest: boolean
  /** The words that an operator has edited. */
  readonly edited: readonly EditedWords[]
  /** That of the sellers. */
  readonly timeZone: string
  /** Units still to be delivered. */
  readonly outstanding: number
}

/** The kind of every email with keys, however many it has. */
export const KEYS_MAIL = 'fulfilment.keys'

type LicenseMailKind = 'fulfilment.key' | 'fulfilment.keys'

/** The default words for one key and for several. An operator can edit them. */
const licenseMailWords: Readonly<Record<LicenseMailKind, DefaultWords>> = {
  'fulfilment.key': {
    en: words('Your key for order {{order.number}}', 'Thank you for your order. Here is what you bought:'),
    de: words(
      'Dein Lizenzschlüssel zur Bestellung {{order.number}}',
      'Danke für deine Bestellung. Das hast du gekauft:',
    ),
  },
  'fulfilment.keys': {
    en: words('Your keys for order {{order.number}}', 'Thank you for your order. Here is what you bought:'),
    de: words(
      'Deine Lizenzschlüssel zur Bestellung {{order.number}}',
      'Danke für deine Bestellung. Das hast du gekauft:',
    ),
  },
}

interface Texts {
  readonly outstanding: (units: number) => string
  readonly download: string
  readonly closing: string
  readonly test: string
}

const texts: Readonly<Record<Language, Texts>> = {
  en: {
    outstanding: (units) => (units === 1 ? 'One more key follows.' : `${units} more keys follow.`),
    download: 'Download',
    closing: 'Keep this email. What is in it is for you only.',
    test: 'This is a test order. Nothing is charged.',
  },
  de: {
    outstanding: (units) =>
      units === 1 ? 'Ein weiterer Lizenzschlüssel folgt.' : `${units} weitere Lizenzschlüssel folgen.`,
    download: 'Herunterladen',
    closing: 'Bewahre diese E-Mail auf. Ihr Inhalt ist nur für dich bestimmt.',
    test: 'Dies ist eine Testbestellung. Es wird nichts berechnet.',
  },
}

/** Composes the mail with keys, in the language of the order. */
export function licenseMail(delivery: KeysDelivery): NewMail {
  const { siteName, recipient, orderNumber, lines, outstanding, storeIds, link, isTest, edited } = delivery
  const { language, locale } = writingFor(delivery.locale)
  const { outstanding: follow, download, closing, test } = texts[language]
  const online = link && linkInMail(link, { language, locale, timeZone: delivery.timeZone })
  const template = lines.flatMap(({ keys }) => keys).length === 1 ? 'fulfilment.key' : 'fulfilment.keys'
  const inForce = wordsInForce(edited, { kind: template, language, storeIds }) ?? licenseMailWords[template][language]
  const filled = fillWords(inForce, { 'site.name': siteName, 'order.number': orderNumber })
  const bodies = composeMail({
    language,
    siteName,
    title: filled.title,
    paragraphs: filled.paragraphs,
    lists: [
      ...lines.map(({ name, keys }) => ({ heading: name, rows: keys.map((key) => rowOf(key, download)) })),
      ...(online ? [online.list] : []),
    ],
    farewell: [...(outstanding > 0 ? [follow(outstanding)] : []), ...filled.farewell],
    closing: [closing, ...(online ? [online.validity] : []), ...(isTest ? [test] : [])],
  })
  const subject = isTest ? `[Test] ${filled.subject}` : filled.subject
  return { kind: KEYS_MAIL, recipient, locale: language, subject, bodies, storeIds }
}

/** A key, or a link if the key is the address of a download. */
function rowOf(key: string, download: string): MailRow {
  return /^https:\/\/\S+$/.test(key) ? { label: download, url: key } : { label: key }
}

/** The mails with keys whose words an operator can edit. */
export const editableLicenseMails: readonly EditableMail<MailSample>[] = (
  Object.keys(licenseMailWords) as LicenseMailKind[]
).map((kind) => ({
  kind,
  isOfStores: true,
  words: licenseMailWords[kind],
  placeholders: ['site.name', 'order.number'],
  sample: ({ language, siteName, storeId, edited, pagesUrl, now }) =>
    licenseMail({
      siteName,
      edited,
      recipient: 'ada@example.com',
      locale: language,
      orderNumber: 'V-10001',
      lines: [{ name: 'Kiln Designer 3', keys: kind === 'fulfilment.key' ? [KEYS[0]] : KEYS }],
      storeIds: [storeId],
      link: sampleLink(pagesUrl, now),
      isTest: false,
      timeZone: 'UTC',
      outstanding: kind === 'fulfilment.key' ? 0 : 1,
    }),
}))

const KEYS = ['AAAA-BBBB-CCCC', 'DDDD-EEEE-FFFF'] as const
