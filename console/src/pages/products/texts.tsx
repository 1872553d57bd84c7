import { useId } from 'preact/hooks'
import { translate } from '../../language.ts'
import { languageName } from '../../ui/format/display-names.ts'
import type { Draft, Texts } from './draft.ts'

interface LanguageTabsProps {
  readonly locales: readonly string[]
  readonly selected: string
  readonly onSelect: (locale: string) => void
  /** Whether a language has no name yet. */
  readonly isMissing: (locale: string) => boolean
}

/** Tabs for the languages of the store. Arrow keys move between them. */
export function LanguageTabs({ locales, selected, onSelect, isMissing }: LanguageTabsProps) {
  if (locales.length < 2) return null
  return (
    <div role="tablist" aria-label={translate('Language of texts')} class="tabs">
      {locales.map((locale, index) => (
        <button
          key={locale}
          type="button"
          role="tab"
          aria-selected={locale === selected}
          tabIndex={locale === selected ? 0 : -1}
          onClick={() => onSelect(locale)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
            const next = step === undefined ? undefined : locales.at((index + step) % locales.length)
            if (next === undefined) return
            onSelect(next)
            const tabs = event.currentTarget.parentElement?.children
            ;(tabs?.[locales.indexOf(next)] as HTMLElement | undefined)?.focus()
          }}
        >
          {languageName(locale)}
          {isMissing(locale) && (
            <span class="small">
              {' · '}
              {translate('not translated')}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}

interface TextInputProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly rows?: number
  readonly maxLength?: number
  readonly placeholder?: string
  readonly onInput: (value: string) => void
}

/** A labeled input of a draft. */
export function TextInput({ label, hint, value, rows, maxLength, placeholder, onInput }: TextInputProps) {
  const id = useId()
  const shared = { id, value, maxLength, placeholder, ...(hint && { 'aria-describedby': `${id}-hint` }) }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows ? (
        <textarea {...shared} rows={rows} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input {...shared} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
      {hint && (
        <p id={`${id}-hint`} class="small">
          {hint}
        </p>
      )}
    </div>
  )
}

interface TextsProps {
  readonly draft: Draft
  readonly locale: string
  readonly edit: (change: (draft: Draft) => Draft) => void
}

type TextName = 'names' | 'subtitles' | 'descriptions' | 'seoTitles' | 'seoDescriptions'
const inLocale = (texts: Texts, locale: string) => texts[locale] ?? ''
const set = (name: TextName, locale: string, value: string) => (draft: Draft) => {
  const { [locale]: _, ...others } = draft[name]
  return { ...draft, [name]: value === '' ? others : { ...others, [locale]: value } }
}

/** Name, subtitle and description in one language. */
export function ProductTexts({ draft, locale, edit }: TextsProps) {
  return (
    <>
      <TextInput
        label={translate('Name')}
        value={inLocale(draft.names, locale)}
        maxLength={500}
        onInput={(value) => edit(set('names', locale, value))}
      />
      <TextInput
        label={translate('Subtitle')}
        value={inLocale(draft.subtitles, locale)}
        maxLength={300}
        onInput={(value) => edit(set('subtitles', locale, value))}
      />
      <TextInput
        label={translate('Description')}
        hint={draft.format === 'markdown' ? translate('Markdown: **bold**, lists, links.') : translate('Plain text.')}
        rows={6}
        value={inLocale(draft.descriptions, locale)}
        onInput={(value) => edit(set('descriptions', locale, value))}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.format === 'markdown'}
          onChange={(event) => {
            const format = event.currentTarget.checked ? 'markdown' : 'plain'
            edit((current) => ({ ...current, format }))
          }}
        />
        {translate('Descriptions are Markdown')}
      </label>
    </>
  )
}

/** The search engine listing, with a preview. */
export function SearchListing({ draft, locale, edit }: TextsProps) {
  const name = inLocale(draft.names, locale) || (Object.values(draft.names)[0] ?? '')
  const title = inLocale(draft.seoTitles, locale) || name
  const subtitle = inLocale(draft.subtitles, locale) || inLocale(draft.descriptions, locale)
  const description = inLocale(draft.seoDescriptions, locale) || subtitle
  return (
    <>
      <div class="listing-preview">
        <span class="small">{translate('your-shop › products › {slug}', { slug: draft.slug })}</span>
        <strong>{cut(title, 60)}</strong>
        <span>{description ? cut(description, 160) : translate('No description yet.')}</span>
      </div>
      <TextInput
        label={translate('Page title')}
        hint={translate('{count} of about 60 characters. If empty, the name is used.', { count: title.length })}
        value={inLocale(draft.seoTitles, locale)}
        maxLength={200}
        placeholder={name}
        onInput={(value) => edit(set('seoTitles', locale, value))}
      />
      <TextInput
        label={translate('Page description')}
        hint={translate('{count} of about 160 characters. If empty, the subtitle is used.', {
          count: description.length,
        })}
        rows={3}
        value={inLocale(draft.seoDescriptions, locale)}
        maxLength={500}
        onInput={(value) => edit(set('seoDescriptions', locale, value))}
      />
      <TextInput
        label={translate('URL name')}
        hint={translate('Lowercase letters, digits and hyphens. Links with the old name stop working.')}
        value={draft.slug}
        onInput={(slug) => edit((current) => ({ ...current, slug }))}
      />
    </>
  )
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`
}
