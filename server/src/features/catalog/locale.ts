export { lookUpLocale, matchLocale } from '../../kernel/locale.ts'

/** A text in each locale that has one. */
export type LocalizedText = Readonly<Record<string, string>>

/** The text in the best locale that has one: the served locale, then the store's default, then any, in order of its tag. */
export function textIn(texts: LocalizedText | null | undefined, served: string, fallback: string): string | undefined {
  if (!texts) return undefined
  return texts[served] ?? texts[fallback] ?? texts[Object.keys(texts).sort()[0] ?? '']
}
