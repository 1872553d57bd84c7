import { languageName } from '../format/display-names.ts'
import { Field, TextField } from './form.tsx'

type Texts = Readonly<Record<string, string>>

/** The text in the first of these locales that exists, or in any. */
export function textOf(texts: Texts, locales: readonly string[]): string | undefined {
  const locale = locales.find((each) => each in texts)
  return locale === undefined ? Object.values(texts)[0] : texts[locale]
}

/** One input for each locale. */
export function TextsFields({
  name,
  label,
  locales,
  value = {},
  rows,
}: {
  readonly name: string
  readonly label: string
  readonly locales: readonly string[]
  readonly value?: Texts
  /** Rows of a multi-line input; absent: a single line. */
  readonly rows?: number
}) {
  const all = [...new Set([...locales, ...Object.keys(value)])]
  return (
    <>
      {all.map((locale) => {
        const field = {
          name: `${name}.${locale}`,
          label: all.length > 1 ? `${label} (${languageName(locale)})` : label,
          pointer: `/${name}/${locale}`,
          value: value[locale] ?? '',
        }
        return rows ? <TextField key={locale} {...field} rows={rows} /> : <Field key={locale} {...field} />
      })}
    </>
  )
}

/** Reads the inputs of `TextsFields`. Empty ones are left out. */
export function textsIn(fields: FormData, name: string): Record<string, string> {
  const said = [...fields.entries()].flatMap(([field, value]) => {
    const text = String(value).trim()
    return field.startsWith(`${name}.`) && text !== '' ? [[field.slice(name.length + 1), text] as const] : []
  })
  return Object.fromEntries(said)
}

/** The text in the browser's language, else in English, else in any. */
export function inReadersLanguage(texts: Texts): string {
  return texts[navigator.language] ?? texts[navigator.language.slice(0, 2)] ?? texts.en ?? Object.values(texts)[0] ?? ''
}
