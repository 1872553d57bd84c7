import { messageTranslator } from './known-message.ts'

/** The languages of the console, by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** The key of the operator's choice in the local storage. */
export const STORED = 'vitrine.language'

const isBrowser = 'document' in globalThis

/** The locales of the browser, the preferred one first. Chromium reports `en-US@posix` where the system's locale is C. */
const browserLocales = (isBrowser ? [navigator.language, ...navigator.languages] : []).flatMap((tag) => {
  try {
    return [new Intl.Locale(tag)]
  } catch {
    return []
  }
})

const isKnown = (code: string | null): code is Language => code !== null && code in LANGUAGES

/** The operator's choice in this browser, otherwise the first language of the browser that the console supports. */
export const language: Language =
  [isBrowser ? localStorage.getItem(STORED) : null, ...browserLocales.map((locale) => locale.language)].find(isKnown) ??
  'en'

/** The locale for dates, numbers and names: the browser's locale of this language, such as `de-AT`, if it has one. */
export const locale = browserLocales.find((each) => each.language === language)?.baseName ?? language

/** The German translations by English text, loaded only if needed. Modules that import this one are evaluated afterwards. */
const texts: Readonly<Record<string, string>> =
  language === 'de' ? (await import('./languages/de.json', { with: { type: 'json' } })).default : {}

/** The names in the braces of a text: `count` of `{count} orders`. */
type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<Text extends string, Value> = [Names<Text>] extends [never]
  ? readonly []
  : readonly [values: Readonly<Record<Names<Text>, Value>>]

const PLACEHOLDER = /\{(\w+)\}/

/** A text in the language of the console. The English sentence is its key. */
export function translate<const Text extends string>(
  english: Text,
  ...[values]: Values<Text, string | number>
): string {
  const parts = (texts[english] ?? english).split(PLACEHOLDER)
  return parts.map((part, index) => (index % 2 === 0 ? part : valueNamed(values, part))).join('')
}

/** Translates a text with elements in place of the names in braces, such as a link within a sentence. */
export function translateElements<const Text extends string, Element>(
  english: Text,
  values: Readonly<Record<Names<Text>, Element>>,
): (Element | string)[] {
  const parts = (texts[english] ?? english).split(PLACEHOLDER)
  return parts.map((part, index) => (index % 2 === 0 ? part : valueNamed(values, part)))
}

/** Translates a message from the API, which may contain values. What is unknown stays English. */
export const translateMessage = messageTranslator(texts)

/** Translates a text from the API, such as a name. An unknown text stays English. */
export function translateIfKnown(english: string): string {
  return texts[english] ?? english
}

/** A number is written as in the language, such as `12,345`. */
function valueNamed<Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | string {
  if (values === undefined || !(name in values)) return `{${name}}`
  const value = values[name] as Value
  return typeof value === 'number' ? number.format(value) : value
}

const plural = new Intl.PluralRules(language)
const number = new Intl.NumberFormat(locale)
/** Between the whole part and the decimals of a number: `,` in German. */
export const decimalSeparator = number.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'

/** Translates a text with a count, written `{count}`. German has the same two plural forms as English. */
export function translateCount(
  count: number,
  { one, other }: { readonly one: string; readonly other: string },
): string {
  const text = plural.select(count) === 'one' ? one : other
  return translate(text as '{count}', { count: number.format(count) })
}
