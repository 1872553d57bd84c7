import { type Language, languageOf } from '../../kernel/languages/languages.ts'
import { composeMail, type NewMail } from '../../platform/mail/index.ts'

/** The keys of an order line. */
export interface LineKeys {
  readonly name: string
  readonly keys: readonly string[]
}

/** Contents of a mail with keys. */
export interface KeysDelivery {
  readonly siteName: string
  readonly recipient: string
  /** The order's locale. */
  readonly locale: string
  readonly orderNumber: string
  readonly lines: readonly LineKeys[]
  readonly storeIds: readonly string[]
  readonly isTest: boolean
  /** Units still to be delivered. */
  readonly outstanding: number
}

interface Words {
  readonly title: (keys: number, order: string) => string
  readonly opening: string
  readonly outstanding: (units: number) => string
  readonly closing: string
  readonly test: string
}

const texts: Readonly<Record<Language, Words>> = {
  en: {
    title: (keys, order) => (keys === 1 ? `Your key for order ${order}` : `Your keys for order ${order}`),
    opening: 'Thank you for your order. Here is what you bought:',
    outstanding: (units) => (units === 1 ? 'One more key follows.' : `${units} more keys follow.`),
    closing: 'Keep this email. The keys are for you only.',
    test: 'This is a test order. Nothing is charged.',
  },
  de: {
    title: (keys, order) =>
      keys === 1 ? `Dein Lizenzschlüssel zur Bestellung ${order}` : `Deine Lizenzschlüssel zur Bestellung ${order}`,
    opening: 'Danke für deine Bestellung. Das hast du gekauft:',
    outstanding: (units) =>
      units === 1 ? 'Ein weiterer Lizenzschlüssel folgt.' : `${units} weitere Lizenzschlüssel folgen.`,
    closing: 'Bewahre diese E-Mail auf. Die Lizenzschlüssel sind nur für dich bestimmt.',
    test: 'Dies ist eine Testbestellung. Es wird nichts berechnet.',
  },
}

/** Composes the mail with keys, in the language of the order. */
export function licenseMail(delivery: KeysDelivery): NewMail {
  const { siteName, recipient, locale, orderNumber, lines, outstanding, storeIds, isTest } = delivery
  const language = languageOf(locale)
  const words = texts[language]
  const title = words.title(lines.flatMap(({ keys }) => keys).length, orderNumber)
  const paragraphs = [
    words.opening,
    ...lines.flatMap(({ name, keys }) => [`${name}:`, ...keys]),
    ...(outstanding > 0 ? [words.outstanding(outstanding)] : []),
  ]
  const bodies = composeMail({
    language,
    siteName,
    title,
    paragraphs,
    closing: [words.closing, ...(isTest ? [words.test] : [])],
  })
  const subject = isTest ? `[Test] ${title}` : title
  return { kind: 'fulfilment.keys', recipient, locale: language, subject, bodies, storeIds }
}
