import { locale } from '../../language.ts'
import { languageName } from '../format/display-names.ts'
import { Field, TextField } from './form.tsx'

type Texts = Readonly<Record<string, string>>

/** The text in the first of these locales that exists, or in any. */
export function localizedText(texts: Texts, locales: readonly string[]): string | undefined {
  const known = locales.find((each) => each in texts)
  return known === undefined ? Object.values(texts)[0] : texts[known]
}

/** One input for each locale. */
export function LocalizedFields({
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

/** Reads the inputs of `LocalizedFields`. Empty ones are left out. */
export function readLocalized(fields: FormData, name: string): Record<string, string> {
  const entries = [...fields.entries()].flatMap(([field, value]) => {
    const text = String(value).trim()
    return field.startsWith(`${name}.`) && text !== '' ? [[field.slice(name.length + 1), text] as const] : []
  })
  return Object.fromEntries(entries)
}

/** The text in the browser's language, else in English, else in any. */
export function localized(texts: Texts): string {
  return texts[locale] ?? texts[locale.slice(0, 2)] ?? texts.en ?? Object.values(texts)[0] ?? ''
}
